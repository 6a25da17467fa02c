"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "772b55932ce6da65e5b18152a3e7294ce6172692c95fc40b9c4aaa555595097d"

THRESHOLD_RATIO: Final = (170236, 64)
"""A sentence is an order if its sum squared, times the second, is more than its length
times the first."""

CHEAP_WORDS: Final = word_set("""
    aaa abajo abandon abgesegnet ablehnen ablehnt about abra abre absolue absoluta abstraction
    acatar accept accepte access accordingly aceite aceitou acepta acepto acesso acil acione
    aconseja aconselhe acrostic act actifs activos actua actuar actue ad adding address adelante
    adicione adjunto adjust admin admincode administrador administrateur administrator adminmodus
    admit adopt adresine adresini adultere advertencias affichez affiliate affirme afirma afirme
    afterwards agents agiere agir agis agissez agora agreed agrees ahead ahi ahora ai airdrop aja
    ajan ajana ajoute aktarman akzeptiere alavancagem alerting ali allegiance allem allocate allow
    allowance almadan almaya alone alpha alta altera altere alternative although amo amoral andan
    anexo anhang anima anlage anlagen anlat anlatma announce annule annulees anota anote anschlag
    answer answering ante anterieures anteriores anthropic antworte antwortest anula anuladas anule
    anweisungen anyone anyones anything anywhere ap apague apalancamiento aplicam aplican apliques
    aposta aposte apparait appear appelle append apply approbation approuve approuvee approval
    approve approved approves apresente aprobacion aprobada aprobado aprobo aprovacao aprovada
    aprovado aprovar aprove aprueba apruebas apuesta apunta arama arbeitest argent arriesga
    arrisque asegura aside asistana asistente asking asks asset assign assine assinou assistant
    assistants assistent assistente assistenten assume assure ative atrase attach attacker
    attackers atualizacao aucune audit audited auditeur auditor auditoria aufgaben aufheben
    aufstellung auftrag aumenta aumente ausser auszahlungsadresse auszug auszuzahlen author
    authority authorize authorized automated autonoma autonomie autonomously autoridad autoridade
    autorisation autorise autoriza autorizacao autorize autorizo autorizou aval avertissements avis
    avisar avises avoirs away ayarla backdate backwards bad bag baglamaz bags bahsetme baisses
    baixe bakiyenin banks bascule baslat bay beachte beantworten beat beats become befehl befehle
    befehlen befolge befolgst begin beginne beginners begunstigten behalf behandle behaupte behave
    behind beiseite bekleme beklemene bellegi bellegine benachrichtige benefices beneficiary
    benimkiyle benutze berichten beschrankungen beschreibe besitzer besitzers bestand bestatige
    bestatigung beste besuche betigi betrachte betreiber betrifft bewerte bewiesen beyaz beyond bi
    bia biggest bilan bilgilerini bilmesin bin bind binding binds bisherige bisherigen bist
    bitcoinleri bizim blame blanca blanche blanket blessing block blow books boost bop borcu borra
    borres borrow boss bote bothered botlara bots botun branca brauchst braucht breaker breathe
    brechen bremse bring broker brokers btcnin buche buchstabiere buffer bugunden bundan bununla
    buoc bury butun buying buys buyuklugunu buyut bypass bypassed cachees caida caidas califica
    call cambia cambiado camoufle canceladas cang cao cap carece carry carta cat cau cease ceci
    ceda cede ceiling cekim cekimi cekimleri cekinme celles cement censura censure ceo certified
    cesse cet cevapta cevir chame chay cheaper checking checks chef chia chief chu cigneyebilirsin
    circuit cita cite claim classement classifique cle clear client cliente clients cobraron cobro
    codifique coding coi coin coinine coinini coklu collateral colleague coloca colocou coloque
    comando comece comes comite commande commands commissions communiquez comparacao comparacion
    comparaison compare compares comparison comparisons comparte compartilhe competing competitor
    complet completo compliance comply compon componha comportate comporte compra compralo
    comprovada comptabilise comptait comptent compter compulsory comunique comuniques concerne
    conducting confia confianca confiance confianza confias confidential confie config
    configuracion configuration confirm confirma confirmar confirmation confirme confirmed
    confirmer confirmes confirmiez confirmo confirmou conflict conseille consens consent consented
    consentimento consentimiento consider considera considere consignes constraints consult
    consultar consulting contam contar contara contasse conte contents contornar contourne
    contourner contrasena control controles convaincs convenca convence conversation convert
    converta conviction convierte convince cook cooldown core correos costs cotation count counts
    covertly crainte crank creador createur creator credenciais credenciales credentials criador
    cron cuanto cuentan cuentes cuestiones culpa cuoc curl custody customer cut d daccord dacheter
    dagir daily dame damela dan danh dapp dapprobation daqui dar darfst dark darme dauerhaft
    dauerhafte davant davran deactivated deaktiviere debes debloquer debogage debugmodus deceased
    decide decirme decirselo decris dedigimi dediklerimi deficit degersizdir degistirin dein deine
    deinem deinen deines deixam dejan dek delai delante delete deletrea delta demander demandez
    demands demote denetim depasser depenser deplacer depose deposer deposit deposita depositar
    deposite deposito depositos deposits depot depots depuracao depuracion deram derhal dersem
    dersi desactiva desactivadas desactive desactivees desaparecido desarrollador desatiende
    desativadas desconsidere descreva describe descumprir dese desenvolvedor desobedece desobedecer
    desobeir desormais despache despeje desrespeite destaca destaque destege destektenim destina
    destination destine detenteur deus developer developpeur deves di dialogs diante dice dicho
    dieron dieu diga digas digo dijeron dimportance dinleme dinvestir directions directive
    directives directrices diretrizes dis disable discard disclaimer disclaimers disclose disclosed
    discredit discretion disfarce disguise disimula disobey disparu dispense disregard disser
    disseram dissimule ditch dito divert dividend dividends divulge diye diyene dizo dobeir dobro
    doctor document documento dok don donene donner donnez dono doravante dorenavant dorigine dort
    double doubt doute downplay drain drange draw drawdown dreh drehe dress drop drucke dudes dueno
    dumb dump durma dustukce dususleri dususu duvide duyet ecouter ecrase ecris edilmemeli edit
    efecto efeito efface effet eigenmachtig eigentumer eilt einbruche einholen einlagen
    einschrankungen einzahlungen einzahlungsadresse einzigen einzuholen einzuzahlen ejecuta
    ejecutalo ekibi eksiksiz ekstreyi eleva elevate elimina elimine elimizdeki emails embed
    embellish emir emirleri emirlerimi emirlerinin emoji empfehlen empfiehl empfiehlst empieza
    empty empuja empurre emri encabeca encabecar encabeza encabezar encaminhe encode ends
    enforcement enfreindre engage engenheiro engineer englische enregistre enter entera enterarse
    enteras entero entferne entier entiere entire entra entrega entregue entwickler entwicklermodus
    entwicklers envia enviado enviados envialo envian enviarlo envie envies envoie envoyez ep
    equipo erase erbitten erfinde erfolg erhohe erinnerung erinnerungen erisim erisimi erlaubnis
    eroffne ersetze ersetzt erster ertrage erwahne erzahl esconda esconde escondidas escreva
    escribe escuchar eski espaldas esperes esquece esquecer estrategia ethics ethik ethique etica
    etkinlestir etmeli etmelisin etmemeli etse ettikce everybody everyone everything evidence evil
    evilbot exactly exaggerate exceda exchange exchanges exclua exclusively execute executez exempt
    exfiltrate exhaust exiba exija exijo exist existiera existierte existisse exito expire expose
    exposure extracto extrato faca facilita factor fais fake fala fale falsifica falsifie
    falsifique falsify falta faute favour favourably favourite feras ferramenta fetch feu fi fiable
    fiction fielen figurer figures fija filters filtre filtrelerini filtren filtres filtresiz
    filtros find finge finja fire firma firmado fix fixe fiyat fiyattan fizer flawless fliessen
    fliesst flokxswap folge folgende folgendes folgst follow following follows fondo fonumuzu fonun
    forever forge forgo former forneca fortan fortuna fortune forward forwards fous fragen fragt
    franchir frase freed freegpt freie freigabe freigegeben frein freio freno frensiz frisiere
    fruheren fudge fuhr fuhre full fund fundo gabe gain gains gamble game gana ganancia ganancias
    ganha ganho ganhos garanta garanti garantidir garantido garantiert garantili garantizado gastos
    gates gather gecer geciktir gecirdi gecmez gecmisi gedicht geh geheim geheime geheimen gehorche
    gehorchen gehorchst gelistet gelistirici gelistiricini gelistiricinin gelistiriciyi gelten
    genehmige genehmigst genehmigt genehmigung gerat gercek gerceklestir gerek gerekiyor gerekli
    gesamte geschaltet gestrichen getir getiriyi gewinn gewinnt ghi giau gib gilt gir gira giu
    gizle gizli gizlice glitch goals god goes gom gondermelisin gone gonfle good gottmodus graba
    grade graduate grandmother grant granted green grenze grenzen guaranteed guard guardadas guarde
    guardrails guidelines gunluk guven guvenilir guvenini guvenli haberdar haberi habilita habilite
    habla hach hack hacked hacker hago halte han hand handelsprotokoll haras hareket harvest hast
    hattest hausse haz hazlo headquarters heads hear heb hebe hebel hebelgrenze hebt hecele hedef
    hemen henceforth hereby herkesten hesaba hesap hesaptaki het hide hiding highest highlight
    highly hinaus hinein hinfallig hint hinterfrage hinweg history hit hoat holder holders holding
    holdings honeydex hong hor horst hourly human huu hypermoon hypermoonswap hypothetical icat
    icerik iddia identifiants ignora ignorad ignorance ignore ignored ignoriere ilet ilimitada
    ilimitado illimitee imediatamente immediately immediatement imperatif imperative importance
    imprima imprime imzala incelemeden incentive incite inclua include incluyas income incumplir
    independently indicaciones indicada indique infaillible infalible infalivel infallible infinite
    infinity infla inflate infle inform informa informado informar informe informed informer
    informes informiere informiert informing ingeniero ingenieur inhaber inhabers initiales
    initiate inmediatamente inmediato inquires inscris insert insist inst installe installiere
    instrucao instrucciones instrucoes instruct instruction instructions instruktionen insured
    integrating integro inteiras inteiro inutile invariably invent inventa invente inversion
    inversiones inverta invertir invest investiere investieren investimento investimentos investir
    investis investment investments investors invests invierta invierte invista invite invoca
    invoke invoque iptal ir ira iran irao iront irrelevant irrestrito isaretle isleme islemi
    islemleri isleyen istegi isteme istemene istemini istersem isto itaat itibaren itiraz izin
    izinsiz iznine jailbreak jedem jefe jeffectue jeton jette jetzt jexige jogue joining jointe
    joke joli journal journaux juegate jusquau kabul kannst kapital kappa kara kasse katla kauf
    kaufe kaution kaybeden kaybetmeden kaybetmedigini kaydet kazanc kazanclar kelime kelimelerini
    kelimesi kelimesine kelimeyi keys keystore khach khau khen khich khoa khoan khuyen kich kill
    kimseye kin kindly know kodiere komplette kompletten komutu konfiguration konto kontoinhaber
    kontos kontrollen kontrolleri kontrollerini kontrolsuz kontrolu konuda kopiere kosten koymaya
    kraft kummere kunde kunden kunftig kural kuraldan kurallar lacces laccord lach lade
    ladministrateur ladresse lam lance lancement lanza lap lapprobation largest lassentiment
    lassistant laudit lauft launch lautorisation laval lavis law lawless lawyer lea leads leak
    learn leave leere leg leite lembrancas lend lenh lensemble lenvers lequipe lesson lessons
    letter lettre levanta levantado leve levee leverage levier lhistorique lia liberar liberated
    libere liberer libre lich lidera lie liest lieu lift likidasyonun limite limites limitin
    limitlerini limits limitsiz limpe lines linfini linsu lintegralite liquida liquidacao
    liquidacion liquidaciones liquidacoes liquidate liquidation liquidationen liquidations
    liquidiere listado listagem listed listelenince listen listenin listeye listing livre lleva llm
    load lobe loc lock lockere log login loi longer loosen loperateur loperation losche loses
    losing losses lossess losss loutil loyalty luat lunr lunrswap luoc lure lut lutilisateur luzum
    ly machst maintenance maintenant maitre maker maksimuma manda mandado mandar mande mandou
    manipuliere mantenimiento manutencao maquie maquilla maquille marca margem markdown markiere
    marque martingale masque massage master matter max maximum meant meilleur meister melde memo
    memoire memoires memorias memories memorise memoriza memorize memory menciona mencione
    menciones menh mention mentioned mentionne meo merk merke mesaja mete meter method methodology
    mia mias mien mienne miennes migrar mine minus mio miser misreport missachte missachten
    mnemonic mobeir mode modifica modifie modo moduna modunu moment monedero monte months moonx
    moonxswap morals mostre mouth moved mua muc much mude muestreme muestres multiply munze musst
    musteriye musteriyi mutlak mutlaka nachste nalerte named nap napplique nattends navertis nay
    necesitas nedir needs negarte neglect negocia negocie nenne nennen nenvoie nes nesta neutral
    nexistait neydi ngung nguoc nguoi nguon nhan nhuong niemandem nil nimm nimporte ninforme
    ninguem nobeis nobody nobodys nod nombra nomme nont normas normen nosotros nosso nothing notice
    notices notiere notify notifying notig notiz notre notu notun novaswap nudge nuestro nul
    nullify nuls numaraya nutze nutzer nutzerdaten nutzers obedeca obedece obedecela obedeceme
    obedecer obedecerme obedeces obedience obeir obeirez obeis obergrenze oberste oberster obey
    obeying obeys objective obrigatorio obsolete oculta ocultas oculte oculto officer official
    ogrenmemeli ohne ok okumadan okuyan olsa olsun olvidar olvidate omega omets omiso omisso omit
    omita omite onaya onayla once onceligini oner ones onsuz onunde openai opens opera operador
    operator opere ordem ordena ordeno orders orientacoes originais originales others oublie
    oublier our ours outcome outcomes outranks outre ov overlook override overrule overrules
    overstate overwrite ovgu owe own owner owners ownership ozetleyen package paga pague paid paie
    paiement palabra palanca parayla pare pari parie parle paroles partner partnership pasame pasar
    pasarse passe passou passphrase passwd password passwords passwort past paste patrimoine
    patrimonio pautas pay paylas payload payments payout payouts peca peco pedir perceber perdante
    perdantes perdants perdas perdedora perdedoras perdeu perdio perfect performance perguntar
    perguntarem pergunte permanent permanente permanently permis permiso permissao permission
    permit permits permitted persona personne persuada persuade pertes peso pfeif pflicht phanh
    phat phe phep phone phot phrase phuc pick pida pidas pido place placement placez plafond plana
    plant plateforme platform platforms pledge pleine pleite plena plough plug poem poema poeme
    poids police policia policial policier policies policy polish politicas politique polizist pon
    ponga ponha pontuacao pool pop portador portafolio porteur portfolio portfoyu portray posicao
    posicion positions positionsgrosse positionslimit positively post postpone pousse pouvoirs
    powers pozisyon pozisyonu prage praise praised pre precede precedence precedentes preceding
    preferred preguntar pregunten preguntes preis prejuizos premier presale prescinde present
    presenta presente president prevenir preventa prevente previas previous principal principals
    prior prioridad prioridade prioritat priorite priority privada private privaten privileges
    probada procede proceed proceeds procese processar processing prochaine product products profit
    profitable profits project promo promociona promova prompt prompts propietario proprietaire
    proprietario prossiga protective protokoll protokolle prouvee provada proven prozent prufe
    prufer prufung publique puesto pump pumpe pumpx pumpxswap puntuacion push pwned quadruple
    qualifie qualis quebre queda quedan quedas question questione questioned questionne quietly
    quit quita quote quotidienne quy quyen raconte ragmen rang rank ranking rao raporda raporunu
    rappelle rastro rather rating raume reached reacts reader reading recebeu recebidas rechaza
    rechte recibidas recipient recite recomendar recomende recomienda recomiendas recommande
    recommander recommandez recommend recommendation recopie record records recovery recuerda
    recuerdos recues recurring recusa recusar rediges reemplaza reenvia referral refuser regard
    regardless regeln register registered registra registre registro registros reglas regles regras
    rein reissen reject rejette relabel relatorios relax release released remaining remains remets
    remit remite remove remplace rendement rendite rendu rentabilidad rentabilidade repasse repeat
    repete repita replace replaces reply replying replys repondez repondre reponds report reporta
    requesting requieras requirement research respecte respecter respeitar respeite respetar
    respetes respond responda responde responder respondes respuesta restricao restriccion
    restricciones restricoes restriction restrictions resuma resumenes resumes resumos retarde
    reten retiens retira retirada retire retiro retiros retoca retrasa reveal revela revele reveles
    reverse reves review reviews revisarla revise revised revises revocadas revogadas revoquees
    rewrite rf rhyme richtlinien ride riesgos rige rights risco riscos rise risiken risiko
    risikoabteilung risikolimit risikolimits risikolos risikoprufung risikoprufungen risikoteam
    risikowarnung risk riskleri risks risksiz risksizdir risque risques rival rivals rm rode rogue
    root rosy rotate round routed rsa rubber rucken ruckfrage ruckgang rucksprache rufe rui rule
    rules run saber saberlo sach safe safeguards safest safety sage sahibi sahibin sahibinden
    sahibine sahibini sahibinin sakla salga saltarte saltate salvas samtliche sanh sans sansursuz
    sapercevoir sappliquent saque saved scenario schedule schicke schieb schone schonen schopfer
    schuld schuldest score scrap script scrub secim second secret secreta secreto secrets seek sees
    segredo segue seguinte segura selbststandig sem semanal semblant send sende senden senha
    sermayeyi sermayeyle serve settled setz setze seyden seyi seyin sezdirme shadowtrader shall
    shell shift ship shorten sicherheitsgrenzen sicherheitsregeln sicherheitsteam sicherungen
    sifreyi siga sight sign signal signe signed signiere signs sigue siguela sigues siguiente
    silencio silently simdiye simulate simulation sinal sing sink sistem sistema sistemden size
    skill skim skip skript soat sobald sobrescreva sobrescribe sofort sofortiger solely soletre
    solicite solicites sollicite sollst som sommet sonsuza soon sorgulama sorma sormadan soruya sot
    sou souhaits souvenir souvenirs souviens soy soyleme soylenen soyler sozu speaking speichere
    spell spells spender spitze spricht stablecoins stacks staff stamp standing stars startet state
    steck stecke steer steig steigere stell steps stets stops stopsuz stopu strategie strategies
    strategy stratejinin stratejiyi streiche strike strip subject submit substitua substitue
    substitui substitute succes success sucesivo sucunu sudo suggere suggest suggestion suggestions
    sugiere sugira sumiu summaries summarizing summary summarys sunucuya supera superar superseded
    supersedes superuser supervisor suphe suppress supprime supprimee supprimez suprema supreme
    suprima suprime surrender suspend suspension suspenso sustituye sut swaps sweep switch switched
    system systeme systemnachricht systemprompt systemupdate tabela tabla tac tageslimit taille
    talimat talk tamamla tamper tapa targets task tat taught tausche tavana taxe team technique
    tecnico telecharge telefonnummer telling tenez tenfold tengas tens tepesinde terminal terminali
    tersten tes tesoreria tesouraria tete teto teu text teyide teyit thanh thi thieu thoat thoi
    thong thresholds throw thua thuan thuc thuyet tick tien tiens tier tinterroge titulaire titular
    toan today token tokene tokeni tokenimizi tokenin tokenini tokens told tomber ton tope topic
    tops tordonne total totalausfall totalite tous tout toward trabajas trace traces tradess
    trading traduce traduis traduza traffic trafique trage training traite transactionss transfere
    transferencia transferer transferez transferido transferiere transferir transferira transfiera
    transfiere transfira transforma transforme translate transmets traslada trate travailles
    treasury treat treibe tren tresorerie tri trial trien trigger triple troque trust trusted truy
    tum turbofi tust uberbringer ubergehe ubergib uberlass uberrede uberschreibe uberschreite
    ubersetze uberspring uberspringe uberweisen uberweisungswerkzeug uberwiesen uberzeuge ucretleri
    umgehe umgehen umgehend umursama unannounced unaware unbegrenzt unbegrenzter uncensored
    understate uneingeschrankten unendlich unfehlbar unfiltered unicamente uninformed unlimited
    unlock unrestricted unseren unten untere unterschreibe unterschrieben unterstehst unutabilirsin
    unutma unuttum unutun unverzuglich unzensiertes upload uploads upwards urge urgent urgente
    ursprunglichen users ust ustundedir usual usuario utilizador utilizadores uy uydur uygula vacia
    vakit valables valem valen valent validee validou vault vende vendor verandere verarbeitet
    verbal verbatim verberge verborgenen verbuche verdi verfasse vergiss vergleichst verhalte
    verheimliche verificacao verification verileri verlange verlauf verlustbericht verluste
    verlusten verlustlimit verlusttrade verlusttrades verme vermogen veroffentliche verrate
    versetzt versichere verstecke versteckten vertrag vertrauenswurdig vertraulich vertraust
    vertusche verwerfen verzichte verzogere viec vien viet vinh virement virer visit visite void
    volle vollen vollmacht voluntad vontade vorangegangenen vorgaben vorher vorhin vorrang
    vorverkauf vuelca vuelvas wager wahl wahre waive waived wandert warnings warnungen
    wartungsmodus weave webhook weeks wegzulassen weight wette whatever whatsoever whenever
    whitelist whitewash whole widerrufen wiederherstellungsmail wiederherstellungsphrase wille win
    winke winner winning wins wipe wire wired wirf wirkung wishes withdraw withdrawal withdrawals
    withhold wochenbericht words worse write xoa ya yap yapay yapsan yaz yazara yes yetki
    yetkilendir yetkin yetkisini yields yokmus yolla yolo yolunda yonergeleri yonergelerini
    yonetici yoneticiyim yonlendir yontemi yukselt zahladresse zapcoinswap zarar zeige zekaya zero
    zeros zieladresse zorla zugang zugangscode zugangsdaten zugestimmt zusammenfasst
    zusammenfassungen zustimmung zweifle
""")
"""A text in ASCII without any of these is not weighed."""
