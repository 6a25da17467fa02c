"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "5bbbb854cc5a0f71cbef4ffaa595adf4344c9e6b43feb83d1fa97664f831a245"

THRESHOLDS: Final = {
    "en": 54608,
    "zh": 55246,
    "es": 51427,
    "pt": 53370,
    "ru": 51493,
    "de": 50839,
    "fr": 50334,
    "ja": 49786,
    "ko": 53269,
    "ar": 50641,
    "hi": 53157,
    "tr": 53054,
    "vi": 51340,
}
"""By language: a part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    aaa ab abajo abandonne abgeschaltet abi abolished abonar abra abre absatz absoluta abstraction
    abwendung ac aca acaba acabou accept accepte accomplice accord accordingly aceite aceito acepta
    acerto achat achete acht acikla aciklanmaz acil acildi acknowledge acma aconseja aconselhe
    acrostic act acta acting activa actua adelante adina adjunta adjunto admin administrador
    administrateur administrator adopt adrese adresine adresini advertencias advise affiche
    affiliate affirme afirma afirme agente agenten agentes agis agora agreed ahi ahora airdrop aja
    ajan ajanin ajanlar ajoute aklina aksoy aktarip al alarm alavancagem alerte alerting alim
    alindigi alle allein allem alles allocate allowance almadan alors aloud alpha als alsin
    altindaki altini amtlich anade analisis analyse analysis andan anexo anh anhang anilmamasi
    aniyi anlage anlasmayi anlat anlatma annex annual annule annulees anota anote answer answering
    ante antedata anteriores antivirus antwort antworte antwortest anula anuladas anule anweisung
    anweisungen anwender apaga apague aparecer apartman aposentadoria appears appelle applies
    appose approbation approuve approval approvals approve approved aprobacion aprobada aprobado
    aprobo aprovada aprovado aprove aprueba apuesta apunta apuntes apuracao aquele aqui arasina
    arbeite arbeitest arbitrages argent aroeira arquive arranca arrangement arrete arriba arrived
    arrives artik asegura asi aside asil asistan asistanlar asistente ask asked asking asks asli
    assign assina assine assistants assistent assistente assistenten assure ative attach attached
    attacker attackers audited auditeur auditor auditoria aufgabe auftrag augen augmente aumenta
    aumente aunque aupres aur aura ausfallquote ausfuhrung auslassen ausschliesslich ausser
    auszahlung auszahlungen auszahlungsadresse auszurichten autant authorisation authorised
    authority authorize authorized automated automaticos autoridad autorisation autorite autoriza
    autorizacao autorizacion autorizado autorizo autorizou autres avance averaging avertissements
    avis avisar avises aviso avisos away ayarla ayiklama aynen backdate backtest bafin bagla
    baglantiyi bags bahsetme bai baixe bak bakan bakim bakiyeyi balance balances balanco bannera
    barato barridas bas basarisiz bascule basi basina baslat basta bastan batmasin bayrami beachte
    beantworten bearish beat beaten befehl befehle befehlen befolge begenenleri beginners begs
    behandeln behandle behaupte behave behaviour beiseite bekleme bekleyen bekommen bellegine belli
    ben beneficiary beni benim benimkilere beratungsprotokoll bereitschaft berichten beschlossen
    beschreibe besitzer besoin bestande bestatige bestatigt beste besuche betigi betrachte betreff
    betreiber between bewegen bewerte bewiesen beyaz bhai bhi biggest bilan bildirme bile bilgi bin
    birak birakma birinci birini bis bisherigen bist bitcoinleri bitince bitir bitti biz bize bizim
    bizum blame blanca blanche blanket blanks bleibt boca bol boletin boleto bolumu bond bonus
    borra borrow borsamizi borsanin borsasina bos bosalt boss bosuna bot botlara bots botu boyle
    boz bozdurup branca brandt brauche brauchst braucht breaker briefing brightwater brisket broker
    brokers brosurde brouille brut bu bua buche bulletin bulundugundan buna bundan bunlara bunu
    buoc buraco burada buraya buriti bury butun buyuklugunu buyutun cabeza cabinet cachees cadastro
    cagir cagnotte caida caixinha califica calistir calla cambia cambiado campaign canceladas
    candle cang cap captain carga carry carta carte cartorio cau caution cay ce cease ceci cedeme
    cek cekim cekimi celle celles celui cem censorship censure cento ceo certified cest cetait ceux
    cevap cevapta cevir chama chamada chame chang chap chaque charte chatbot chats chaud chauffe
    che cheaper checking checks chef chefe cheio chen chenh chez chief chien cho choi chu chuan
    chuc chup chut ci cien cikan cikar cima cinar cinquenta cita cite classe classifique clausula
    clave cle clear clearance clears clerk clica click client cliente clube cnmv cnpj cobro coc
    coche coding coffre cofre coi coin coini cola collateral colle colonne comando combinado comeco
    comentario comite commande comme commentaire commissions como compara compares comparte
    competing competitors complet completo compliance comply comportate comporte compra comprador
    compras compre comprovada compte comunicado concentration concepteur conducting conferencia
    confia confianca confiance confianza confiavel confidence confidential confirma confirmation
    confirmed confirmes confirmiez confirmou conforme conformite conseille consejero consent
    consented consequences considera consideram considere consigne consignes consola consolidadas
    constraints consultar consulting conta contador contar conte contenha contents contesta
    contestar conteudo contexto continua contradict contrary contrat contrato controles convaincs
    convenca convence conversa conviction convince cope corporativo corre correcting corretora cot
    cotacao cotista counterpartys counts coup courbe courtesy cousinen couverture cpf cracha crank
    creador createur creator creators credenciais credenciales credentials credito criador cripto
    cu cuales cualquier cualquiera cuenta cuentes cuestiones cumle cumleyi cumplimiento cumplir
    cumpra curl custody customer cuzdan cuzdanimi cuzdanin cuzdanina cvm cyber daccord dachat
    dadequation daima dale dalerte dame damit dan dana danach danh dann dapp daqui dar darf darfst
    daruber dau dauerhaft davant davet davon davran deaktiviere debenture debes deceased decide
    decirme decouvert decris dedigim dedigimi deficit defteri degisti degistirin dein deine deinen
    deines deixa deixar deja dek delante dele delete demander demandes demands demas demektir
    demostrada demote denetim deneyimler deny dep departamento depense depose deposer deposit
    deposita depositar deposito deposits depot depotinhaber depots depozitoyu derhal derriere derse
    dersen desactiva desactivadas desactive desactivees desarrollador desatiende descansado
    descarta desconsidere describe desenvolvedor desk desks desobedece desormais desta deste
    destination desvio determina dette deus devant developer developpeur deviens devolva deyip dez
    di diagnosis diamond diante diario dich dicho dictate diem dieron diesem diesen diga digas digo
    dijeron dikkate dile dinle dinleme dinlemeyi dio dios dira directamente directement directions
    directive directives director direkt diretamente diretrizes diris dis disable discard
    disclaimers disclose disco discussion dispensa disser disseram dit ditado diversification
    divert diye diz doan dobeir dobro doc doch doctobre documento dogrudan dogrulama dogrulamak
    dogrulamayi doit dokument dokuz doldu don dona donc donemindeki donne donner donnez dono donsun
    doppelt dordres dorenavant dorigine dort dorthin dossier dosyasini double doubt downplay dr
    drain draining drauf drawdown drawdowns droits drop drucke druckst dua dubai duc dueno dump
    dunmore duplica durch dure durma dusur dusurulsun duyet echanges ecrase ecris ecrite edeceksin
    eden ediniz ediyorum efecto efface egitim eigentumer einfach einschrankungen eintrag eintrage
    einzahlungsadresse einzigen einzuzahlen ejecuta ejecutalo ejecutando ek eki ekibi ekle eksi
    ekstresi ekteki elden elevate eleve elimina else email emanet emergencia emetteur emir emirler
    emirleri emirlerimi emirlerini emirlerinin empfehlen empfehlung empfiehl empieza empresa
    emprestimo emprunte empurra emri encaminhe encode end ende endet engenheiro enleve enormously
    enquanto enregistre entao enter entfallt entferne entier entire entra entram entre entrega
    entregue entsprechend entwickler entwicklermodus entwicklers envia envie environment envoie
    equipe equipo equity equivale erase erfolg erhohe erinnerung erlaubnis erledige eroffne
    erscheint ersetze ersetzt erster erwahn erwahne erzahl esas esconde escreva escreve escribe
    escrow ese eski esperes esquece estagiario estrategia estrellas et etape ethics ethique etica
    etme euros evaluate evaluation everybody everything everywhere evil evilbot exchanges excluded
    executa executando execute executive exempt exfiltrate exhaust expediente experts expire
    explained explicit exposicao exposure fabrica fais fala fallt falou falsifica falsify familia
    fang fassung fato favour faz fe fera ferramenta festgeld fetch fiable fica ficha fiche fifty
    figura fija fil fila filings fill filters filtre filtresiz filtros financeiro finanzamt findet
    finge finja firewall firma firmado fiste five fixe fixes flux fold folge folgende folgendes
    folgst folgt following follows fon fondo fonds fonte fonumuzu fonun fonunu footer footnote
    forbidden formulario foro fort forum forward fosse four frag fragen fragt frau frei freigabe
    freigegeben freio freitag ftp ftpye fud fuhr fuhre fuhren funcao fund fundo furieux fusszeile
    gac gagnerait gain gains gambler gana ganancia ganha ganho ganze ganzen garanti garantias
    garantido garantiert garantili garantizado garde garonne gas gat gec gece gecer gecir gecmeye
    gecmisi gedachtnis gegeben geh geheim geheimen gehorche gehorchen gehorchst gel gelen gelince
    gelistirici gelistiricinin gelten genannt genehmige genehmigt genehmigung gente gepruft gerade
    gerant gercek geregi gerek gerlos gesamte gespeicherten gesperrte gesprach gestion gestor getir
    gewinn gewinnt ghi gi giau gib gibi gibst giderler gilt gioi gir gitsin gium gizle gizli
    glasses glauben gleich glisse glitch glop goals goc goi goldinu gom gonder gonfle gong gop
    gorev gormesin gormezden gosterme gottmodus grade grades graduate grandmother grant granted
    grava grave greifst grenzen ground guarana guarda guardada guardadas guardia guardrails guia
    guidelines guncellemesi guven guvenilir guvenlik haber haberi habilita habla hable hacia hack
    hacked hacker hadi haftanin hagas hago halden halt halte ham handelt hange happened hareket
    harvest hast hattest havale haz hazine hazlo heb hebe hebel heimlich hemen henceforth hep hepsi
    hepsini her hereby herkese herkesten herr herramienta herrn hesaba hesabi hesabin hesabina
    hesabindaki hesap hesaptaki hesaptan het heute hidden hide hier hiermit hinter hinterfrage
    hinterher hinweis hit hoca hoi hoja hoje holder holdings hong hor hospedada hot hoy http human
    hunted huong huu hypermoon ia iban ic ici icinde identifiants ignore ihm ihn ikinci ikna ilet
    ilimitada ilimitado ilk illimitee imediatamente immediately immediatement immer imposto imprime
    imza imzala imzalanan imzayi inbox inclua include incluyas incluye indicaciones indice indir
    infinita infinite infinity inflate informar informe informes informiere informing ingeniero
    ingenieur inhaber inhabers inhalt initials inmediatamente inmediato inscris insiders inst
    instala install installe installiere instrucao instruccion instrucciones instrucoes instructed
    instruction instructions inteira interna internas internen interprete inutile invariably
    inversion invest investiere investieren investimento investir investment investors invierte
    invisible invista invitation invite invoke invoque ipe iris isaretle isbu isi isle isleme
    islemleri isleyen iste isteme istemini isto itaat itibaren itiraz izin izle ja jailbreak jede
    jedem jefe jeffectue jemand jeton jette jetzt jo joga joia joint jointe joue journal juni junta
    juste kabul kagit kalan kaldir kaldiraci kaldiracla kaldirildi kalici kalir kalsin kanitlanmis
    kapalidir kapanmaya kapat kapital kappa kar karin karo kasa katla kauf kaufe kaufen kauft
    kaution kaybeden kaydet kaydir kayitlari kayitli kazanc kazanir keiner kelimesi kem kenara
    kendi kendiliginden kendin kendini kennt kes khac khach khai khan khang khau khen khoan khoi
    khuyen ki kia kiem kill kim kimse kimseye kin kindly kinh kirmizi kisitlamalar klick knowledge
    ko kommentar kommt komplett komutu konto kontoinhaber kontos kontratlarinda kontrolunu konus
    koy koydugu koyma kredi kriegt kripto kullanici kullanicidan kullanicinin kullaniciya
    kullaniciyi kunde kunden kunftig kunftigen kur kural kuraldan kurali kuralin kuralini kurallar
    kurallari kurallarin kurallarini kurallarinin kuran ky lacces lachat lade ladministrateur lado
    ladresse lafi lagent laisse lam lance lancienne lanza lappel largent largest lass lassistant
    lasst later lau launch lauten lautet lautre law lay lea leave lecart lech lector leere leia
    leido leite lembre len lending lenh lensemble lequipe leser lesson lessons letra lettre letzten
    leu leve leverage ley lhe lia libera liberar liberated libere libre lien liest lift lifted
    limit limites limitini limitleri limits lines linha links linsu linux lips liquida liquidacao
    liquidacion liquidate liquidation liquidations liquide lirayi lis listele listening listeye
    listing lith livre livret lixo liye llama llamo llegue lleva llm loc log loi longer longs
    loperation lordre losch losche losen losers losing losses lossess losss loutil loyalty lu luan
    luat lucia luego lugar lui lumo luoc luon luot lutilisateur mach mache machst macro macros
    madame madde mahst mailbox maintenance maintenant maitre majoritario maksimuma manda mandame
    mandar mandat mandate mando mandou manh manten mantenimiento manutencao mao maquina marca maree
    marge margem margin mark markdown markiere marque martingale masque matters maxima meilleur
    meinen meiner melde melhorem mem memo memoire memoria memorias memories memorise memoriza
    memorize memory menciona mencione menciones menh mensaje mensch menschen mention mentionne
    mentions merke mesa mesaji mestre met metabank mete methode methodology metodo mets mevduat mia
    mien mienne miennes mim mine minera mintdock minus mir mismo misreport missachte missachten
    mission mitteilung mme mnemonic mobeir moc mode modell modelo modifie moduna modunu moi moment
    momo monedero monero monte monter montre morals motivo motus mua mude mudur muduru muna musst
    musteri musterinin musteriye mutlaka nachfrage nachste nadie nahi naked nap nas nattends nay
    necesito neglect nehmen neler nenn nenne nennen nennt nermin nervt neste neydi nghe nghia ngo
    ngung nguoi nguon nguyen nha nhac nhan nhanh nhe nhiem nhien nho nhu nhung ni nichts nickel
    niemand niemandem nimm ninforme ninguem nivel nobody noel noi nombra nong nop normas nosotros
    nossa nosso nota notario noter notice notices noticia notig notiz notizen notre notu notun nous
    nova nove nudge nuestra nuestro nulle numaraya nun nutzer nutzers obedeca obedece obedecela
    obedecer obedecerme obedeces obeir obeis oben obergrenze oberste obey obeying obeys obigen
    objective obligations obs oculta ocultas oculto ode odenmemis offene officer official officiel
    offne offsite oficio ohne oito ojos ok okafor okuyan ol olarak oldugunu olha olmasin olsa olsun
    olur om omega omets omisso omit omita omitir ona onay onayini onayla onaylandi onaylayin onayli
    onaysiz onceki onceligini oncelik oner ones onu onun onune opera operacao operacion operaciones
    operacoes operador operator oradan oraya orcamento ordem orden ordena ordenes ordeno ordens
    orders ordres orhan orientacoes origem originais originales ortam orval oryx otekilerin others
    oturumda oublie oui our ours outils outranks outre ouvre overlook overpayment overstate
    overwrite owner owners oyle ozet ozetleyen package paga page pague paie pair palabra pamuk papa
    paragrafo paragraph parasi parasini parayi parayla parceiro pare parezca parle parrafo partida
    partner partners partout pasame pase paso passa passar passez passwd passwords past pasta paste
    pastebin patrimonio patron patronun pautas paylas payload payments payout payouts peca peco
    pedir pega pehle pena pension perda perdante perde perdedora perdio perfil performance
    perguntar pergunte permanent permanente permiso permissao permission permit permits permitted
    person persona persuade persuaded perte pesa peso pessoal petit peux phai pham phap phare phe
    phep phia phot phrase pida pidan pidas pide pie pix piyasa placed plafond planilha plantao
    plata plataforma plateforme platforms pleine plena plx poe poem policia policier policy polisim
    pon pone poner ponha ponle pont ponte popup porteurs portfolio portfoy portfoyun portray
    posicion positif positionsgrosse poste posted pousse pouvoirs poyraz pozisyon pozisyonlari pra
    prage praise prasident precede precedentes precio preciso preencha preguntan preguntar pregunte
    pregunten preguntes prejuizo premiere premium prends prenez presale presenta presente president
    prestado pretend prevenir preventa previas preview previo previous primer primo print prioridad
    prioridade priorite priority private privileged prix probado proceda proceed proceeds proces
    procese processing prochain profit profitable profits programming promo promote prompt proof
    proposal proprietaire proprio prossiga protective protokoll prouvee prova proven proximas
    prudence prufer prufung publica puente puesto pula pull pump puntuacion push pwned quadruplica
    qualite qualquer quarterly queda quedan quedas quedate quede quelles quen quente question
    questioning quet qui quietly quils quita quon quoted quy quyen ra rac raiz rang rank rao
    raporlama raporlarda raum raus reached readers reading reallocation rebate recap recebe recebeu
    rechne rechte recipient recite reclame recomende recomienda recommande recommend recopie record
    records recuerda recuerdo recues redacta redirecione reemplaza reenvia referencia referral
    refuser regard regeln register registre regla reglamento reglas reglement regles regra regras
    rein relatorio release remains remember remetente remplace rendite renta rentabilidad renvoie
    reparte repeat repita repite reply repo repondez repondre reponds reponse repositorio reprends
    resgate respeite respetar respond responda responde responder resposta respuesta restore
    restricao restriccion restricciones restricoes restrictions resumen resumenes resumir resumo
    retiens retira retirada retire retiros retour retrait retraits revela revele review revisao
    revise revised rewrite rewritten rf rhyme rica richte richtlinien rico riesgo riesgos rights
    risco risiken risiko risikoabteilung risikolos risikoteam risk risksiz risque risques rival rm
    ro robo robot robozinho rodape rode rogue roi rojo rol rolle root rotate rouge route roux rsa
    rubber rucken ruckfrage ruckfragen ruf ruhig rui rules rut saca sach safe safest safety sag
    sage sagen sagt sahibi sahibin sahibine sahibini sahibinin sakla salades saldo saldos sale
    salga salta saltate samtliche sana sang sanh sans saque satin satir satiri satis satisa satz
    savings sayfanin sayfayi sayin schalte schick schicke schieb schopfer schreib schreibe schreibt
    second secret secreta secrets security sees segue seguinte seguir segunda segura seine seinem
    seite sem semanal sempre sen senal senao send sende seni senin sentence sep serbest sers
    sesiones sessao setapprovalforall settlement setz setze seul sexta seye seyi sh shadowtrader
    shall sharpe she sicherheitsregeln sicherheitsteam sidenote siempre sifir sifresi sifreyi siga
    signal signe signee signer signiere sigue siguela sigues siguiente sil silence silencio silver
    simdi simdiye simplest sin sinal sinir sinirin sinirsiz sinyal sira sirada sirayla sistem
    sistema sistemin size skim skip slippage smooth sms sobe sobrescribe socios sofort soir sok
    solde solicita solicite sollst somos sonne sonst sonsuza sonuna soran sorarsa sorgulama sorma
    sormadan sormana sors sortie sorularima sorulursa sos sou souvenir souviens soyle soyleme
    soylemeden soylenen soz sozinho sozlesmesi sozlesmeyi sozu sozunu speichere spell spender spiel
    spielen sponsored spricht ssh stablecoin stablecoins stables stacks staff stake staked staking
    standing stands starte stattdessen stealth steer steht stell stelle stets stick stops stopsuz
    straight strategie strategy stratejinin stratejiyi strip strong stufe suas suba subcuenta sube
    substitua substitui substitute sudo suffit suggestion sugiere suis suit suite suivante
    summaries summarise summarising summarize summarizing summary summarys sunu sunucuya suphe
    supprime suprima supur suspicion sustituye sut swaps sweep syndic system systeme
    systemnachricht systemprompt systems ta tabela tabelle tabla tac tach taches taille tais
    talimat talimati talimatlari talimatlarin talimatlarini talimatlarinin tam tamamen tamamini
    tamamla tanit tapa tarea tarefa tarefas tarjeta tat tausche tavan tavsiye tax taxe te
    technician tecnico teile tek teknik tekrarla telegram tell teminat teminata temizle temps
    tenemos tenfold tengas tep terme termina terminali tes teslim tesoreria tesouraria teste tete
    teto teu texte thac thanh thema theo thep thi thieu thoat thong thousand thresholds thua thuan
    thuat thung thuyet tick ticket tien tienes tiens tiep tier till timing tira tire titulaire
    titular titulos tl toan toda todas todo token tokeni tokenleri tokens told ton tonight tope
    topes topo toss totalite tous tout toute toutes tra trabaja trabalha traces trader trading trag
    trage traite tran transferer transferiere transferir transfiere transforme translate transmets
    trao trata trate trava treasury treat trecho treo tresor tresorerie trial trich trien trigger
    trigo triple troca tron troque trust trustworthy tua tuas tudo tui tum tumba tung turbofi turn
    turno tus tut tutari tuyet twin typical ubergehe uberrede uberschreibe uberweise uberzeuge
    ubrigens umgehe umursama unbegrenzt und understate uneingeschrankten unfavourable unicamente
    unlimited unlock unlocked unrestricted uns unser unsere unserem unseren unten unterschreib
    unterschrift unut unutma upgraded upload upwards urge urgente ursprunglichen users usina
    ustundedir usuario uu uy uyacaksin uyarilari uyarisi uygula vacia vai vale valem validar vamos
    van vang var varsa vault vaut vay vem venda vende vendeur venga venta vente ver verarbeitet
    verbal verbuche verde verdi verdigi vergiss vergiyi vergleich verhalte verificacao verificado
    verifier verilen verite verkauf verlange verlustlimit verlusttrade verlusttrades vermelisin
    verpflichtet verrate verse versteckten vert vertrag vertraulich vertusche verwendungszweck
    verwirf vet viec vien viene vier viet vinh vip vira virement virements visite voici void
    volatility volle vollmacht volte vom vorab vorgabe vorgaben vorher vorherigen vorhin vorrang
    vorverkauf vorziehen vota vu vua vuelca vuelvas vuelve wahl wait waived wala warne warnings
    warnungen warst warte watchdog weeks weg weight weisst weiter werkzeug whatever whenever
    whitelist whole widen widerrufen win winner wins wire wishes wissen withdraw withdrawal
    withdrawals withhold words worry wort write xau xep xet xin xong xu ya yalniz yap yapay
    yapistir yapiyorum yapmak yatir yatirim yatirma yaz yazan yazani yazdir yaziyor yazma yazsin ye
    yerine yetki yetkin yetkisi yildiz yoktur yolla yonerge yonergeleri yonetici yonlendir yontemi
    yorum youll youre yourself youve yukarida yukaridaki yuz zahl zahlen zalo zarar zararini zaten
    zeige zeile zeka zekaya zentro zero zeros zieh zip zora zugang zugangsdaten zugestimmt
    zusammenfasst zusammenfassung zustimmung zwar zweifle zweite zweiten
""")
"""A text in ASCII without any of these is not weighed."""
