"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "a5d1aea4ef21e92fb92ed2cd4d061b3d6c4f92d90ddf19a1fd2857256e30bbf2"

THRESHOLDS: Final = {"en": 59355, "zh": 59295, "es": 53964, "pt": 57475, "ru": 55726, "de": 56169, "fr": 56273, "ja": 54500, "ko": 57196, "ar": 55776, "hi": 57894, "tr": 55966, "vi": 56776}
"""By language: a part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    aaa ab abajo abandon abandonne abfrage abgeschaltet abhebungen abhi abholen abi abolished
    abonar abra abre abrimos absatz abschluss absicherung absoluta abstraction abuelo abzulegen ac
    aca acaba acabou accept accepte accesos accorde accordingly aceite aceito acepta aceptar ach
    achats achete acikla acilinca acknowledge acma aconseja aconselhe acrostic act acting activa
    actua adam adelantame adelante adimi adin adina adivinanza adjunta adjunto admin administrador
    administrateur administrator adopt adotas adresine adresini adressbuch advertencias
    advertisement advice advise afaste affiliate affirme afiliado afirma afirme agente agenten
    agentes agents agilizar agis agit agora agreed aguanta agzindan ahi ahora ahorros ainsi airdrop
    aja ajan ajanin ajanlar ajoute aklina aksoy alacak alarme alavanca alavancagem aldirmadan
    alerting alfa algoritmo alignment alinir alir aliskanlik alle allein allem alles allocate
    allowance alma almoco alors aloud als alsin altindaki alttaki ambiente amtlich anade analisis
    analyse analysis andan anexo anfang anhang aniyi anketine anlage anlastik anlat anlatma anleger
    anma annex annuel annulees anordnung anordnungen anota anote answer answering ante antedata
    anterieure anteriores antidate antivirus antwort antworte antwortest anula anuladas anule
    anweisung anweisungen anwender aos apaga apague aparecer apartman apikey aplica aplicalo
    aplicam apoderado aporte apostador appears appelle appli applies applique apply approbation
    approuve approval approvals approve approved apresentacoes aprobacion aprobada aprobado aprova
    aprovada aprovado aprove aprovecha aprueba apuesta apuestas apunte apuntes apuracao aquela
    aquele aqui aquilo arac aramizda arasina arbeite arbeitest aroeira arquive arranca arrangement
    arranque arriba arrived arrojado arrondis article articulo artida artik asagida asagidakini
    asegura asi aside asil asistan asistana asistanin asistaniniz asistanlar asistente ask asked
    asker asking asks asleep assign assina assine assinou assistants assistent assistente
    assistenten assurance assure asunto ate atende ativo atrapalha attach attached attacker
    attackers attention attorney attribuez atua aucune audit auditado audited auditeur auditor
    auditoria aufgabe auftrag augen aumenta aunque aupres aur aura ausfallquote ausfuhren
    ausgabeaufschlage auspicious ausschliesslich ausser ausserdem aussi aussieht auszahlungsadresse
    auszufuhren autant authorisation authorise authorised authority authorize authorized automated
    automates automaticos automatizados autonomous autor autoridad autoridade autorisation autorite
    autoriza autorizado autorize autorizo autorizou autres avance averaging avertissements avis
    avisar avises avisos avoirs away ayarla ayikla ayiklama aynen ayrica baad baar baat bach
    backdate backtest bafin bagimsiz bagla baglantiyi bags bahsetme bai bail baixe bakalim bakan
    bakanligi bakimda bakiyenin bakiyeyi bakma balance balances bananacoin banca banks bannera
    barre barren barrio bas basari bascule basi baslayan basta batacazo batan bau bay beachte
    beantworten bear bearish beaten beats bedelini beendet befehle befehlen befolge befolgen
    beginners begleichen begrenzung behalte behandeln behandle behaupte behave behaviour beiseite
    beitrag bekleme beklemeden bekommen bekommst bekommt bell belle bellegine belli ben
    benachrichtigung bende benden beneficiary beni benim benimkilere benimm beratungsprotokoll
    bereitschaft berichten beschrankungen beschreibe besitzer besitzers besoin bestand bestande
    bestatige beste besuche betigi betrachte betreff betreiber betreibers between bewegen bewerte
    bewiesen bhai bhej bhi biggest bilan bildirim bildirimi bildirme bile bilgi bilgisini bilmece
    bin bina bindend binds birak birakip birakma birinci bis bisher bisherigen bist bitcoinleri
    bitene biter bitince bitir bitten bittet bitti biz bizde bizden bize bizim bizimkini biziz
    blame blanca blanche blanket bleib blog bloomberg boca bol boletim boletin bolu bolumu bond
    bons bonus books borcu borra borrow borsaci borsamizi borsanin borsasina bos bosalt boss bot
    botlar botlara bots botu botuna boyle boz bozdurup branca brandt brauche brauchst breaker brent
    bridge briefing brightwater brincar brisa bro broker brokerage brokers brokervergleich brosurde
    brut buche bucht buen bueno bugunku bulletin bulten bulteni bulundugundan bulunmadigindan bun
    buna bundan bunlara bunu buoc buraco burada buraya buriti burn bury butun buyuklugunu
    buyurmustur cabeca cabeza cabinet cachee cada cadastro caducaron cafezinho cagir cagnotte
    cajero cala calcul caliente califica calisiyor calistir calla calladito cambia cambio campaign
    canceladas candle cang cao cap captain carga carimbo carnaval carrega carry carteira cartorio
    casilla casse cay cdb ce cease ceci cede cedeme ceiling cek cekilme cekimi cekirdek celia
    celisirse celle celles celui cem censorship censura ceo cerezlerini certified cesse cest ceux
    cevabi cevap cevapta cevir cevirip chahiye chairman cham chama chame chang changelog chao chap
    chaque chart charte chatbot chatverlauf che chef chefe cheia cheio chen cheo chez chi chief
    chmod chu chuan chuc chuoi chut ci cien cierto cifras cift cikacak cikan cikar cikarip cikarsa
    cikmis ciksin cima cinar cinquenta cita citado citar cite claim classe classifique clausula
    clave clear clearance clerk clica client cliente clima cobro coche cocoa coding coe coffre
    cofre coi coin coini coisa cola colchon cold colei collateral colle colonne comanda combinado
    comeca comeco comentario commands comme commentaire commerce como compadre comparatif
    comparativa compares comparte competencia competing competitors complet completo compliance
    comply comportate compra comprador compras comprobado comprovada comptable compte compter
    comunicado concentration concepteur concorrente concurrence concurrents conducting conferencia
    confia confianca confiance confianza confiavel confidence confidential confirm confirmation
    confirmed confirmes confirmiez conforme conformite connais connait conscience consejero consent
    consented consentimento consentimiento consequence consequences considera considere considerer
    consigne consignes consola consorcio consta constituyo constraints consultar conta contar
    contato contatos conte contents contenu contesta contestar conteudo contexto contradict
    contrary contrat contrato contredisent controles convaincs convem convenca convence conversa
    conviction convince convite cooperate cope copilot copilote copiloto copilots corn corporativo
    corre correcte cortar costs cot cotacao cotista coucou count counterpartys counts coup courbe
    course courtesy cousin cousinen couverture coz cpf cracha crank creador createur creator
    creators credenciales credentials credito criador crime cripto criterio critica cron cto cu
    cuales cualquier cualquiera cuenta cuentan cuentes cuestiones cukur culpa cumlesini cumleyi
    cumple cumplimiento cumplir cumpra cumpre cumprir cupom curl curve custar custodia custodian
    custody customer cuzdanimi cuzdanin cuzdanina daal daalna daccord dachat dadequation daima dal
    dale dalerte damit damos dan dana dapp daqui darf darfst daruber datiere dauerhaft davant davet
    davon davor davran deaktiviere dealer dear debat debes debito debranche debutants deceased
    decide decidido decirme decouvert decris dedigi dedigim dedigimi dedigine dedigini deemed
    deficit degerse degilsin deginme degisti degistirin dein deine deinen deines deixa deixou dejes
    dek dela delante delas dele delete deletrea delle delphi demander demandes demas deme demektir
    demonstrativo demostrada demote dena denetim denetimi denetimsiz dentro denvironnement deny dep
    departamento depose deposer deposit deposita depositar deposite deposito deposits depot
    depotinhaber depozitoyu depreciation dequipe deram derece derhal deroule derriere derse dersen
    dersin desabilite desactiva desactivadas desactive desarrollador descarta desconsidere describe
    desenvolvedor deshalb desin desks desliga desobedece desormais despacha despacho despeja desse
    dessen desta deste destination determina detre dette deus devant developer developpeur deviens
    devolva deyip dez dhier di diagnosis diante diario dica dicho dici dicte dieron diesem diesen
    dieser diesmal diga digas diger digo dijeron dikhana dikkate diktier dile ding dinheiro dinle
    dinleme dinlemeyi dios dipnot dir dira directamente directement directions directive directives
    director directrices directs direkt diretamente direto diretoria diretrizes diris dis disable
    disagree discard disclaimers disclose discute discuter disent dispensa dispensado dispense
    disregard disser disseram dito divers divert diye diyen diyene diz doan dobeir dobla doble
    dobra dobro doc doch doctobre document documento dogrudan dogrulama dogrulamak dogrulamayi
    dogrulandi dogrulanmis doit dok dokument dokuments dolayisiyla doldur dollars dona donc donne
    dono doravante dordres dorenavant dorigine dorthin dosyasindaki dosyasini dosyasinin dot double
    doubt doutor download downplay drain draining dran drauf drawdown drawdowns dreht dreimal drin
    droits drop drops druckst dua dubai duda dueno dugun dump dunmore durch dure durma dursun
    duseriz dusun dusur dusurdugunden dut duyet duyurusu eased echange echanges echte economise
    ecoute ecrase ecris edecek edeceksin eder ederse edilir edilmez edilmistir ediniz editorial
    ediyorum efecto efectos efeito egal egaree egitim eh eigentumer einfach eingeht einsatz
    einschrankungen eintrag eintrage einwilligung einzahlungsadresse einzigen einzuzahlen ejecuta
    ejecutalo ejecutando eki ekibindenim ekle ekrana ektedir ekteki elas elevate eleve elimina ella
    elliott elogio else email emanet embaixo emekli emergencia emetteur emirler emirleri emirlerimi
    emirlerini emirlerinin empfehlen empfehlung empfiehl empiece empieza emprunte empurra encaminhe
    encargo encarna encode ende endet engano engenheiro englische enleve ensenes ensinaram entao
    entendeu entendido enter entering entfallen entfallt entiere entire entorno entra entram entre
    entrega entregue entries entry entscheide entscheidet entsprechend entusiasmo entwickler
    entwicklermodus entwicklernachricht entwicklers envia envie environment envoie eof equipa
    equipe equipo equivale erase erdi erfolg erhohe erinnerung erlaubnis erledige erledigt eroffne
    erra errata erscheint ersetze ersetzt erster erteilt erwahne erzahl esas esconde escreva
    escreve escrever escribe escritorio escrow ese esigi eskisini esperes esquece estrategia
    estrelas estrellas esvazia etaient etais etant etape etfs ethics ethique etica etme etmeden
    etmez etmis etoiles etsin evaluate evaluation everybody everything everywhere evet evil evilbot
    exchanges excluded executa executando execute executive exempt exercicio exhaust existe
    expediente explained explico exporta exposicao exposicion exposure extracto ey eyes factsheet
    facultado fais faits fala falan falando fallt falou falsifica falsifie falsify fang faro
    favorable favour faz fe fear federal feed fegen fehltrades felicitalo fence fenetre fera ferait
    fermes ferramenta festgeld fetch feu fiable fica ficam ficha fiche ficheiro figura figurar fija
    fil filings fill filters filtre filtresiz filtros financeiro finanzamt finge finja firewall
    firma firmado five fixe flights folder folge folgende folgendes folgst folgt follow following
    follows fona fonce fonte fonumuzu fonun fonunu footer footnote footnotes forcada forget formal
    formulario foro fort forty forward fosse fou fous fragen fragt francfort frei freie freigegeben
    freio french freno fruhere ftp fud fuentes fuge fuhr fuhre fuhren funcao fund fusszeile futur
    futures gac gain gains gambler gana ganha ganho ganze ganzen gao garantias garantido garantiert
    garantili garantizado garde garonne gat gebeten gec gecer gecir gecmeye gecmisi gecsin
    gedachtnis gedicht gefragt gefuhrt gegeben gegenuber geh geheim geheimen gehorche gehorchen
    gehorchst gel gelen gelirse gelistirici gelistiricinin gelten gemass gemelo genannt genehmige
    genehmigt genehmigung genio gens gentil genugt gepruft gerade gerant gercek geregi gerek
    gerekmektedir gerencia gerlos gesamte gesetz gespeicherten gesprach gestion gestor getir
    getiriyi gewicht gewinnt ghe ghi ghim gi giai giang giau gib gibi gibst gigante gilt gioi gir
    gira gist gitsin gium gizle gizli glasses glaub glauben gleich glisse glitch glop gmail goals
    goc god goldinu gonder gondersin gonfle gong gop gorev gorevin gormesin gormez gormezden
    gorunmesin gorusu gospel gosterme gottmodus gozuksun graba grade grades graduate grandmother
    grant grava grave greift grenzen gross grun grunden guara guarana guardada guardadas guardia
    guardrails gui guia guidelines guion gumus guncellendi gurujis gute guven guvenilir guvenini
    guvenlik haan haber haberi habilita habilite habla hable haces hack hacked hacker hadi hafiza
    hafizandaki haftanin haftaya haftpflicht hagas hago halcyon halden hallet halt halte ham hamare
    hand handelt hange hani hanim happened har hara hareket harfi harvest hast hasta hats hattest
    hau haus hausordnung haz hazine hazlo hazme head heb hebe hebel hecho helfer hell hemen hence
    henceforth hep hepsi her heraus hereby herkese herkesten herr herramienta herrn hesaba hesabi
    hesabin hesabindaki hesap hesaptaki hesaptan hesitate het hidden hide hien hier hiermit hilo
    hin hinfallig hinter hinterfrage hinterher hinweis hinweise hisseleri hit hoai hoang hoca
    hocanin hochste hoi hoja holder holdings holen hor hotfix huan huissier humain human humano
    humans hunted huu hypermoon ia iban ic ici icinde icindeki icine icra identidad identifiants
    identitat ignore ignorier ihm ihn ikinci ikna ilet ilimitado illimitee imagina imediatamente
    immediately immediatement imprime imre imzala imzayi inbox incident inclua include incluyas
    incorpora independentemente indica indicaciones indicada indicador indicator infalible infinita
    infinite infinity inflate informar informe informed informiere informing informs ingeniero
    ingenieur inhaber inhabers inhalt initial initiales initials initiating inmediatamente
    inmediato inscris insider insiders inspectora inst instala instalador instale install installe
    installiere instrucao instruccion instrucciones instrucoes instruction instructions instructs
    instruktionen insured integral interdiction intern interna internas interne internen internes
    interno interpol interpreta interprete inutile invariably inventories inversor invest
    investidor investiere investieren investimento investment investors invierta invierte invisible
    invisivel invista invitation invite invoke invoque ipe iris irrt isaretle isbu isi isin isle
    isleme islemler islemleri isleyen iste isteme istemini isto itaat itibaren itibariyla itll izle
    izni ja jab jacaranda jaccepte jahres jailbreak january janvier jede jedem jefe jeffectue
    jemand jenny jeton jette jetzt jo joga joia joint jointe joue judicial jugar junta juzgado ka
    kabul kaffee kahin kalan kaldir kaldiraci kaldiracla kaldirildi kalem kalici kalir kalkti
    kalsin kanit kanitlanmis kanka kanun kap kapalidir kapital kappa kaptan kar karakter kardes
    karin karke karna karo karsilastirma karsiligi karstens karta kasa kasadaki kasanin kasayi
    katla kauf kaufen kaufst kauft kaution kaybeden kaydet kaydi kaydir kayitlari kayitli kayittan
    kazanan kazanc kazanir keiner kelimesi kem kenara kendiliginden kendin kendini kendisine kenh
    kennst kennt kes kesin kestrel khac khach khan khang khen khoa ki kia kieng kim kimin kimligini
    kimse kin kindly kinh kirmizi kirp kisitlamalar kisitlari kiyamet kiyas klartext klasorunu
    klick knowledge ko koi kommentar kommt komplett kompletten komuttur komutu konkurrenz kontakte
    kontext konto kontoinhaber kontonummer kontos kontratlarinda kontrolunu konus konusma konusuyor
    korkma koruma koy koydugu koyma koyup kredit kriegt krypto kullanici kullanicidan kullanicinin
    kullaniciya kullaniciyi kullanma kunden kundin kunftig kunftigen kural kuraldan kuralin
    kuralini kurallar kurallari kurallarin kurallarini kurallarinin kuralsiz kuran kurtarmak
    kurumun kurve lab label lacces lach laction lade ladministrateur laf lafi lagent lah laisse
    lale lam lance lancienne langst lannonce lantivirus lanza lappel largest lass lassistant lasst
    laudit launch lauten lautet lauteur lautomate lautorisation lautre law lazim lea lean learn
    leave lechange lecteurs lector leere leftover lei leia leido leisten leite leitor lembre
    lemporte len lending lenk lensemble lepargne lequipe leser lesson lessons let letape leur leuro
    leuten leve levee leverage ley lhe lia libera liberacao liberado liberados liberar liberated
    libere libre liebe liest liet lift ligne likh limit limites limitleri limits lindicateur linki
    linsu lintegralite lintelligence linterdiction linux lips liquida liquidacao liquidacion
    liquidate liquidation liquidations liquide lirayi listele listening listeye litecoin lith
    lithium livre lixo liye llamada llamas llegue lleva llm lob lobo loc loccasion log logged loi
    loja longs loperateur loperation lordre losch losche losen losers losing losses lossess losss
    loup loutil loyal loyalty luan luat luego lugar lui lumen lumo lunar luoc luon luot
    lutilisateur luyen ly maan mach mache machst macro macros madame madde maestro mahst mails
    maintainer maintenance maintenant maitre makler maksimuma manda mandado mandame mandan mandant
    mandanten mandar mandat mandate mandato mando manten mantenedor mantenimiento maquina marca
    mare maree margin marine mark markdown market marketing markiere marque mars martingale
    maschine masque mat matters maxima medo meilleur meint melde mem meme memo memoire memoria
    memorias memories memorise memoriza memorize memory menciona mencione menciones menh mensch
    menschen mensual mention mentioned mentioning mentionne mentions merak meri merk merke merkt
    mesajda mesaji mesmo messagerie mestre mesure metabank mete metele methode methodology metni
    metodo mets mias midnight mien mieng mienne miennes milho mille mim minds mine minera minhas
    mio miscellaneous misreport missachte missachten mission mitteilung mme mnemonic mo mobeir moc
    modele modeles modelin modell modelle modeller modelo modelos moderator moderators modifie
    modulo moduna modunu moge moin moment momo monatsbericht monedero monero monte montre moonlight
    moral morals motus mua muda mude mudur muerda muna muot musst musteri musterilere musterinin
    musteriye musteriyi mustnt mutlaka naam nachfrage nachste nadie naked namens nantes nap natal
    nattends naturally navertis nay naya neant nebenbei necesito necoute needed neednt neglect
    negocio nehmen neler nenn nenne nennen nermin nervous nervt neste nett news neydi nft ngam ngat
    ngay nghe nghen nghia nghien ngo ngoai ngoan ngung nguoi nguon nha nhac nhe nhiem nhien nhu ni
    nicer nich nickel niemand nifty nikkei nimm nimmt ninforme ninguem ninh niveau nivel nix nobeis
    nobetciyi nobody nobodys nodded nogueira noi nombra nopasswd norma normale normas norte nose
    nosotros nossa nosso nota notice notices noticia notiert notig notiz notizen notlarini notre
    notu notun nous nove npm nudge nuestra nuestro nuestros nulle numarali numarasini numaraya
    numbered nun nutzer nutzerdaten nutzers obedeca obedece obedecela obedecer obedecerme obedeces
    obeir obeis obeissais oben obergrenze oberhalb oberste obey obeying obeys obigen objective obs
    oculta ocultas oculto ode odemeyi odenmemis odeyin officer official officiel offne offnet offre
    offshore offsite oficio ohne oi ojos ok okafor okudugun okudugunu okundu okur okuyan ol olani
    olarak oldugunu olha olmasin olmus olsa olsun olur om omega omets omisso omit omita omitir
    omitira ona onayini onayla onaylandi onayli onaysiz onceki onceligini oncelik oner ones onkel
    onlari onun onune opera operador operando operateur operator oraculo orada oradan oraya orbx
    ordem ordena ordenes ordeno orders ordre ordres orhan orientacoes origem originais originales
    orion ortam orval oryx otekilerin others oturumda oublie oublier oui our ours outil outils
    outrank outranks outre ouvre ov overlook overstate overwrite owner owners ownership oye oyle
    oyna oynayalim oyun ozet ozeti ozetleyen ozgur pa package padaria pagala page paie pair paketi
    palabra palladium pamuk panama paparaya papel parada paragrafo paragraph paragraphe parametrage
    parasi parasini parayi parceiro pare parecer pareil parezca parle parmi parole parrafo
    parrainage partenaire partent partida partner partnerlink partout pasame passa passent passez
    passwd passwords past paste pastebin patrao patrimonio patron patronun pauschal pautas paylas
    payload payments payout payouts pe peau peca peco pega pehle peine pena penceresi pense pension
    pensiones pepex perante percent perda perdante perdas perdedora perdio perfil performance
    performans perguntar perguntarem permanente permiso permissao permission permit person persona
    personagem personaje personlichkeit personnage personnalite persuade persuaded pesa pesin
    pessoal peticiones petit peur phap phare phe phep phia pho phot phrase pida pidan pidas pie
    pinta pirata place placed plafond plane planilha planli plantao plateforme plateformes
    platforms pleine plena plenos pls plx pnl poderes poe poem poema poeme poli policia policier
    policy polisim polite politica politicas politique pon pone ponha ponle pont ponte pop popup
    porfa porteur portfolio portfoy portfoyun portray positionsgrosse positive post postala postayi
    poste posted posten posts pote pousse pouvoirs powers poyraz pr pra prage praise prasident
    precede precedentes preciso preencha preguntan preguntar pregunte pregunten preguntes prejuizo
    premium prends prenez presale presenta presente presents president prestado presume pretend
    preuve prevenir preventa previas previdencia previens previo prima primo principale principio
    prints prioridad prioridade prioritaire prioritat priorite priority private privileged
    proactive probado proceda procede proceed proceeds proces procese processing prochain producto
    products produits profit profitable profits programa programador programming prohibiciones
    prohibido proibicoes promo promote prompt prompts promptunu proof propietario proprietaire
    proprietario proprio prossiga protective protokoll prouve prouvee prova provado proven
    provisionen proximas prudence prudent prudente prufer prufung ps publica publier publique
    puerto puesto pula pule pump punkt puntuacion push pusieron puso pwned qo qualite qualquer
    quant quarterly quedan quedas quedate quede quelles querido question questioning quet qui
    quiconque quiet quietly quils quita quon quoted quotes quyen ra raconte raiz rakami rakip
    ramiro rang rango rank ranking rao rapido raporlama raporlarda rastro raum raus reached readers
    reading readme real realistic reallocation rebaixamento rebate recap recebe recebeu recebidas
    receta rechne recht rechte recipient recite reclame recomende recomienda recommande recommend
    recopie records recuerdo recues recusar redacta redirecione redondea reemplaza reenvia
    referencia referral refuser regard regeln regelwerk registra registre regla reglamento reglas
    reglement regles reglez regras regularisation reich rein reklam release rellena remains
    remember remeta remetente remets remit remplace rename rendite rentabilidad rentabilidade
    reparar reparte repeat repete repita repite replace repli reply repo repondez repondre reponds
    reponse reported repositorio reprends repute reputee rescue resena resenas reservas resgate
    resolucion respecter respetar responda responde responder respondera respondes responsable
    resposta respuesta rester restricao restriccion restricciones restricoes restrictions resultado
    resultats resumen resumenes resumer resumir resumo retiens retira retiradas retirado retire
    retour retraits reuters revela revele revient review reviewer reviewers revisao revise revised
    revisor revolut rewrite rewritten rf rhyme rica richte richtlinie richtlinien rico riesgo
    riesgos rights riscos risiken risiko risikoabteilung risikolos risikoteam risk risks risksiz
    risque rival riza rm robo robos robot robozinho robust robusta rodape rode rogue roi rojo rol
    roleplay rolle roman rompe root rotate roteiro rotina rouge route roux rs rsa rubber ruber
    rucken ruckfrage ruckfragen ruega ruf rufe ruhig rui rulebook rules runde sab saberia sabes
    saca sach safe safeguard safest safety saffiche sag sage sagen saglam sagt sahibi sahibin
    sahibine sahibini sahibinin sahsi saisis sakla salary saldo sale salga salgan salta saltate
    sammelkonto samt samtliche sana sanh sans sapplique sappliquent sarrete satin satir satiri
    satirini satisa satisfait satisi sats satz savings sayfanin sayfayi sayilir sayin sayisini
    schalte scheiss schick schicke schieb schlaft schlecht schopfer schreib schreibe schreibt
    schritte schwacher schweigen scrap second secret secreta securities security seedha sees segue
    seguem seguinte seguir seguira segura seine seinem seiner selber selling selo sem semblant
    sempre sen senal senao send sende seni senin senior senora sensin sep sequestre serait serbest
    serieux sers sessizce sessoes setapprovalforall settlement setz setze seul seviyesi seye seyi
    sh shadowtrader shall shark shift shill ship sicherheitskonto sicherheitsregeln sicherheitsteam
    sidenote siehe siempre sifatiyla sifir sifreleri sifreyi siga sigas signal signalen signatur
    signe signee signes signiere signo sigorta sigue siguela sigues siguiente silence silencio
    silver simbolica simdi simdiye simplest sinais sinal sindico siniri sinirin sinirini sinirsiz
    sinyal sinyali sira sirada siradaki siraya sirayla sirf sirketin sistem sistema sistemin size
    sizes sizing sjc skim skip slippage slowly slows smooth sms sob sobe sobran sobrescreva
    sobrescribe socio socios sofort sohbet soi sois sok solana solde soldes sole solicita solicite
    sollst solta sombre somebody somos sonraki sonstiges sonsuza sonu sonucu sonuna soran
    sorarlarsa sorarsa sorgulama sorma sormadan sormak sormana sors sortie soru sorularima
    sorulursa sos sou souvenir souviens sowieso soybeans soyle soyleme soylemeden soylenen soz
    sozinho sozlesmenin sozlesmesi sozlesmeye sozlesmeyi sozu sozunu speicher speichere spell
    spender sperre spiel spielen sponsor sponsored sprachmodell spread sprich spricht ssh stabil
    stablecoin stablecoins stacks staff staked stammt standing stands startanweisung starte
    stattdessen stealth steer steht stell stelle step sterbenswortchen sterne stets steuerberater
    stick stoplari stopps stops stopsuz stp straight strategie strategy stratejinin stratejiyi
    streich streichen streu strong stufe stundlich suas suba subcuenta sube subscribers substitua
    substitui substitute suc sudo suelta suffit suggest suggestion sugiere sugira suis suit suite
    suivant suivante suivantes suivre summaries summarise summarising summarize summarizing summary
    summarys sunu sunucuya suong superusuario superviseur supervision suphe supprime suprima supur
    surdur surprise surveillance sustituye sut sutununu swaps sweep switch sy sydney system systeme
    systemnachricht systemprompt ta tabela tabla tablosunu tabloya tac taches tahminlerini taire
    tais tak takvim takvimdeki takvimden talebi talimat talimati talimatlari talimatlarin
    talimatlarini talimatlarinin talk taller tamam tamamen tamami tamamini tamamla tamamlar
    tanimayan tanit tant tao tapa taramasi tarayan tarea tarefa tarefas tarihini tarjeta tarn tat
    tatsache tausche tavani tavsiye tax taxe te tecnico teknik tekrarla telecharge telegram tell
    tells teminata teminatin temiz temizle tenfold tengas tenir tens tension tep teresa terme
    termina terminali ters tes teslim tesoreria tesouraria testi tete teto teu thanh thema thien
    thresholds throw thua thuan thuat thuy thuyet ti ticket tienda tienne tiens tiep tier till tio
    tira tire tisch titulaire titular titulos tivesse toan toda todas todo todos token tokeni
    tokenleri tokens told toma tombe tomber ton tonight tonights tonne tonnes tope topes topla topo
    toros toss totalite tour tourner tous tout toute toutes trabaja trabajas trabalha traces trach
    trader trading traduce traduis traduza trae trag trage tragt traite tramite tran tranche
    transcript transferiere transferir transfiere transforme translate transmets transparency trao
    trate trava travas treasury treat trecho treffer tresor tresorerie treuhandkonto trich trien
    trigger trigo trimestre triple tro trois troque trum trust trusted trusts trustworthy truth tua
    tuas tudo tuesdays tui tum tumba tung turbofi turn tus tust tut tutan tutari tuyet tweet twin
    typical typo ubergehe ubernimm ubernimmt uberrede uberschreib uberschreibe ubersetze uberzeuge
    ubrigen ubrigens umgebungsvariablen umgehe umursama unbegrenzt undersigned understate
    undervalued unfehlbar unfiltered ungekurzt unicamente unlearn unlimited unlock unlocked
    unrestricted uns unsafe unser unsere unserem unseren unserer unsubscribe unten unterkonto
    unterschreib unut unutma unverzuglich uoc upar upgraded upload upwards ur urge urgente urrutia
    ursprunglichen usdtyi users ustundedir ustundur usuario utilizador uu uy uyacaksin uyarilari
    uyarinca uyarisi uygula uygulamayi uygun uyum uzman vacia vakit valable vale valem valen valent
    validado validar vamos van vang vao var vara variaveis varsa vault vaults vaut ve vea veas
    vekalet velha vem vend vende venga vent vento ver verarbeitet verbal verbinde verbuche verdad
    verde verdigi verdopple verfahren verfasser vergiss vergiyi vergleich verhalte verificacao
    verificado verilecek verilen verite verkauf verkaufs verlange verluste verlustlimit
    verlusttrade verlusttrades vermelisin vermerk vermis verpflichtet verra verrate vers verse
    versin verso verstanden versteckten vert vertrag vertrauen vertrauenswurdig vertraulich
    vertusche verwendungszweck verwerfen verwirf vet vie vien viene viens vient viet vigor vilnius
    vinh vip vira virements visitantes visite vite voi voici void volatilite volatility voll volle
    vom vorab vorgabe vorgaben vorher vorherigen vorhin vorrang vorschriften vorverkauf vorziehen
    voss vota voting vu vua vuelca vuelva vuelvas vuelve vut wahl waived wala wale wali wapas ware
    warne warnings warnungen warst wartungsfenster watchdog wechsle weder weeks weg weight weisst
    weist weisungen weiter weizen welcome werkzeug werkzeuge wget whatever whenever whitelist
    whoever whole widen widerruf widerrufen wiederhole win winner winning wins wipe wire wirf
    wishes wissen withdraw withdrawal withdrawals withhold wo woher words worry wort write wunscht
    xac xanh xep xoi xong xua yalniz yani yaniti yap yapay yapilacak yapip yapistir yapiyorum
    yapiyoruz yardimci yardimcisi yasaklar yatir yatirim yatirimci yatirma yay yaz yazan yazani
    yazdir yazili yazisi yaziyi yaziyorum yazma yazsin ye yere yerine yetki yetkili yetkin yetkisi
    yetmezse yildiz yo yokmus yoktur yolla yonerge yonergeleri yonetici yoneticiyim yonlendir
    yontem yontemi yorum yorumlari youll youre yourname youve yukarida yukaridaki yuklendi yuklenen
    yukselt yuz zahl zaten zeige zeile zeka zekasi zekaya zentro zera zere zero zeros zieh zieht
    zinc zip zitieren zora zorundasin zugang zugangsdaten zugestimmt zusammenfasst zusammenfassung
    zwar zweifle zweite zweiten zwilling
""")
"""A text in ASCII without any of these is not weighed."""
