"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "452a1c37810ee120ac56a3464186b8b6a5b5fb1745e170b8aa5714b3523a9119"

THRESHOLDS: Final = {"en": 60228, "zh": 59590, "es": 55475, "pt": 58648, "ru": 57186, "de": 56930, "fr": 58924, "ja": 55843, "ko": 59748, "ar": 57771, "hi": 58016, "tr": 57862, "vi": 56593}
"""By language: a part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    aaa ab abajo abandon abandonne abfrage abgeschaltet abhebungen abhi abholen abi abonar abra
    abre abrimos absatz abschluss absicherung absoluta abstraction abuela abuelo abzulegen ac aca
    acabou accept accepte accesos accorde accordingly aceite aceito acepta aceptar ach achete
    acikla aciklamasi aciklanmaz aciklarim acilinca acknowledge acma aconseja aconsejar aconselhe
    acrostic act activa actua addr adelantame adelante adimi adin adina adivinanza adjunta adjunto
    admin administrador administrator adopt adotas adresine adresini adressbuch advertencias
    advertisement advice advise afaste affiche affichez affiliate affirme afiliado afirma afirme
    agente agenten agentes agents aggressive agilizar agis agit agora agreed aguanta agzindan ahora
    ai aidat aile ainsi airdrop aja ajan ajanin ajanlar ajoute aklina aksoy alacak alarme alavanca
    alavancagem aldirmadan alerting alfa algoritmo alignment alinir alir aliskanlik alle allein
    alles allocate allowance alma alors aloud als alsin altindaki alttaki amtlich analisis analizim
    analyse analysis andan anexo anfang anhang aniyi anlage anlastik anlat anlatma anma annex
    annulees anordnung anordnungen anota answer answering ante antedata anterieure anteriores
    antidate antivirus antwort antworte antwortest anula anuladas anule anweisung anweisungen
    anwender apaga apague aparecer apikey aplicalo aplicam apoderado aporte apostador appears
    appelle appli applique approbation approuve approval approvals approve approved apresenta
    apresentacoes aprobacion aprobada aprobado aprovada aprovado aprove aprovecha aprueba apuesta
    apuestas apunte apuntes apuracao aquela aquele aqui aquilo arac arada aramizda arasina
    arastirma arbeite arbeitest aroeira arquive arranca arrangement arranque arriba arrived arrives
    arrojado art articulo artida artik asagida asagidakini asegura asi aside asil asistan asistana
    asistanin asistaniniz asistanlar asistente ask asked asking asks asleep assign assina assine
    assinou assistants assistent assistente assistenten assurance assure astrologa asunto atende
    ativo atla atrapalha attach attached attacker attackers attention attorney atua audit auditado
    audited auditeur auditor auditoria aufgabe aufrufe auftrag aufwacht augen aumenta aunque aupres
    aur aura ausfallquote ausgabeaufschlage auspicious ausschliesslich ausser ausserdem aussieht
    auszahlungsadresse auszufuhren autant authorisation authorise authorised authority authorize
    authorized automated automates automaticos automatizados autonomous autor autoridad
    autorisation autorite autoriza autorizado autorize autorizo autorizou autres avaliacao avance
    averaging avertissements avis avisar avises avisos avoirs away ayarla ayikla ayiklama aynen
    ayrica azicik baad baar baat bach backdate bad bagimsiz bagla baglantinda baglantiyi bags
    bahsetme bail baisse baixe bakalim bakan bakanligi bakimda bakiyenin bakiyeyi bakma balance
    balances ballern bananacoin banco bannera banques barre barren barrio bas basari bascule basi
    baskasi baslayan basta batacazo batan bau beachte beantworten bear bearish beaten beats
    bedelini beendet befehle befehlen befolge befolgen beginners begleichen behalte behandeln
    behandle behaupte behave behaviour beiseite beitrag bekleme beklemeden bekommen bekommst
    bekommt belle bellegine belli benachrichtigung benden beneficiary beni benim benimkilere benimm
    bereitschaft berichte beschrankungen beschreibe besitzer besitzers besoin bestand bestande
    bestatige beste besuche betigi betrachte betreff betreiber betreibers between bewegen bewerte
    bewiesen bezeichnen bhai bhej bhi biggest bildirim bildirme bilgisini bilmece bin bina bindend
    birak birakip birakma birinci bis bisher bisherigen bist bitcoinleri bitene biter bitince bitir
    bitten bittet biz bizde bizden bize bizim bizimkini biziz blame blanca blanche blanket bleib
    bloomberg boca bol boletim boletin bolsa bolu bond bons books borcu borra borrow borsaci
    borsamizi borsanin borsasina bosalt boss bot botlar botlara bots botu botun botuna boyle boz
    bozdurup branca brandt brauche brauchst breaker breakout brecha brent bridge briefing
    brightwater brincar brisa brisket bro broker brokerage brokers bu buche bucht buen bueno bugun
    bugunku bulletin bulten bulteni bulundugundan bulunmadigindan buna bundan bunlara bunu buoc
    buraco burada buraya buriti burn bury butun buyuklugunu cabeca cabeza cabinet cachee cada
    cadastro caducaron cafezinho cagir cagnotte cai caiga caixinha cajero cala caliente califica
    calisiyor calistir calla calladito cambia cambio campaign canceladas candle cang canlida cap
    captain carga carimbo carnaval carrega carry carteira casse ccye ce cease ceci cede cedeme
    ceiling cek cekilme cekimi cekirdek celia celisirse celle celles celui cem censorship censura
    ceo certified cesse ceux cevabi cevabina cevap cevapta cevir cevirip chahiye chairman chama
    chame changelog chao chap chaque chart charte chatbot chatverlauf che checks chef chefe cheia
    cheio chen cheo chief chmod cho chu chuan chuc chuoi chup chut ci cien cierto cift cikacak
    cikan cikar cikarsa cikmis ciksin cima cinar cinquenta cita citado citar cite claim classe
    classifique clausula clave clear clearance clerk clica client cliente clima cobalt cobro coche
    cocoa coding coe coffre cofre coi coin coini coisa cola colchon cold colei collateral colle
    colonne combinado comeco comentario comme commentaire commerce commissioner como compadre
    comparar comparatif comparativa compares comparte compartele competencia competing competitors
    complet completo compliance comply comportate compra comprador compras comprobado comprovada
    compte compter concentration concepteur concorrente concurrence concurrents conducting
    conferencia confia confianca confiance confianza confiavel confidence confidential confirm
    confirmation confirmed confirmes confirmiez confonds connais connait conscience consejero
    consent consented consentimento consentimiento consequence considera considere considerer
    consigne consignes consola consorcio constraints consultar conta contar contato contatos conte
    contents contesta conteudo contexto contra contradict contrary contrat contredisent controles
    convaincs convem convenca convence conversa conviction convince convite cooperate cope copilot
    copilote copiloto copilots corporativo corre correcte corretora cortar costs cotacao cotista
    coucou counterpartys coup coupe courbe course courtesy cousin cousinen couverture coz cracha
    crank creador createur creator creators credenciales credentials credito criador crime cripto
    criterio critica criticas cron cto cu cuales cualquier cualquiera cuce cuenta cuentan cuentes
    cuestiones cukur culpa cumlesini cumleyi cumplimiento cumplir cumpra cumpre cumprir cupom curl
    curve custar custodia custodian custody customer cuzdanimi cuzdanin cuzdanina daal daalna
    daccord dachat dadequation daima dal dale dalerte damit damos dan dana danismadan danke dapp
    daqui darfst daruber datiere dau dauerhaft davant davet davor davran deaktiviere dealer dear
    debat debes debito debranche debutants deceased decide decidido decirme decoupe decouvert
    decris dedigi dedigim dedigimi dedigine dedigini deemed deficit defterin degerse degilsin
    deginme degismez degisti degistirin dein deine deinen deines deixa deixem deixou dejes dek dela
    delante delas delcourt dele delete deleting deletrea delle delphi demais demander demandes
    demas deme demektir demonstrativo demostrada demote dena denetim denetimi denetimsiz deney
    deneyimler dentro denvironnement deny dep departamento depose deposer deposit deposita
    depositar deposite deposito deposits depot depotinhaber depozitoyu depreciation dequipe deram
    derece derhal deroule derse dersen dersin desabilite desactiva desactivadas desactive
    desarrollador descarta desconsidere describe desenvolvedor deshalb desks desliga desobedece
    desormais despacha despacho despeja desse dessen desta destaque deste destination determina
    detre dette deus devant developer developpeur devem deviens devlet devolva dez dhier di
    diagnosis diante diario dici dictate dicte dieron diesem diesen diesmal diga diger digerlerinin
    digest digitacao digo dijeron dijital dikhana diktier dile ding dinle dinleme dinlemeyi dios
    dipnot dir dira directamente directement directions directive directives director directrices
    directs direkt diretamente direto diretoria diretrizes diris dis disa disable disagree discard
    disclaimers disclose discussion discute discuter dispensa dispensada dispensado dispense
    disregard disser disseram dito divers divert diye diyene diz doan dobeir dobla dobra dobro doc
    doch doctobre document documento dogrudan dogrulama dogrulamak dogrulamayi dogrulandi
    dogrulanmis doit dok dokument dokuments dolayisiyla doldur don dona donc donne dono doravante
    dorenavant dorigine dorthin dosyasindaki dosyasini dosyasinin dot double doutor download
    downplay dr drain dran drauf drawdown drawdowns dreht dreimal drin drinstehen drive drop drops
    druckst dua dubai duda dueno dugun dump dunmore dure durma dursun duser dussun dusun dusur
    dusurdugunden dusurulsun dut duvides duyet duyurusu eased echange echanges echte economise
    ecoute ecrase ecris edecek edeceksin eder ederse edilir edilmez edilmistir ediniz editorial
    ediyorum efecto efectos efeito egaree egitim eh eigentumer einfach einsatz einschrankungen
    eintrag eintrage einwilligung einzahlungsadresse einzigen einzuzahlen ejecuta ejecutalo
    ejecutando ek eki ekle ektedir ekteki elas elevate eleve elimina ella elliott elogio email
    emanet embaixo emekli emergencia emetteur emirler emirleri emirlerimi emirlerini emirlerinin
    empfehlen empfehlung empfiehl empiece empieza empresa empresta emprunte empurra encaminhe
    encargo encarna encode ende endet engano engenheiro englische enleve ensenes ensinaram entao
    entendeu entendido enter entfallen entfallt entire entorno entra entram entre entrega entrego
    entregue entries entry entscheide entscheidet entsprechend entusiasmo entwickler
    entwicklermodus entwicklernachricht entwicklers envia envie environment envoie eof equipa
    equipe equivale erase erdi erfolg erhohe erinnerung erlaubnis erledige erledigt eroffne erra
    erscheint ersetze ersetzt erster erteilt erwahne erzahl esas esconde escreva escreve escrever
    escribe escritorio escrow ese esigi eskisini esperes esquece estrategia estrelas estrellas
    esvazia etaient etais etape etfs ethics ethique etica etme etmeden etmez etmis etoiles etsin
    evaluate evaluation everybody everything everywhere evet evil evilbot exchanges executa
    executando execute executive exempt exercicio exhaust existe expediente expire explained
    explico exporta exposicao exposicion exposure externa ey eyes fabiano factsheet facultado fais
    faits fala falan falando falou falsifica falsify fang faro favorable favour faz fear febrero
    federal feed fegen fehltrades felicitalo fence fenetre fera ferait fermes ferramenta festgeld
    fetch fett feu fiable fibonacci fica ficam ficha fiche ficheiro fifty figura figurar fija fil
    filings fill filters filtre filtresiz filtros financeiro finge finja firewall firma firmado
    five fixe flights folge folgende folgendes folgst folgt following follows fona fonce fonte
    fonumuzu fonun fonunu footer footnote footnotes forcada forgets formal formality formel
    formulario foro fort forty forum forward fosse fou fous fragen fragt francfort freely frei
    freie freigabe freigegeben freio freno frere fruhere ftp fuentes fuge fuhr fuhre fuhren funcao
    fund fusszeile futur gac gain gains gambler gana ganha ganze ganzen garantias garantido
    garantiert garantili garantizado garde garonne gat gebeten gec gecer gecip gecir gecmeye
    gecmisi gecsin gedachtnis gedicht gefragt gefuhrt gegeben gegenbeispiele gegenuber geh geheim
    geheimen gehorche gehorchen gehorchst gel gelen gelirin gelirse gelistirici gelistiricinin
    gelten gemass gemelo genannt genehmige genehmigt genehmigung genio gens gentil genugt gepruft
    gerant gercek geregi gerek gerekmektedir gerencia gerisini gesamte gesetz gespeicherten
    gesprach gestion gestor getir getiriyi gewicht gewinnt ghe ghi ghim gi giai giao giau gib gibi
    gibst gigante gilt gioi gir gira gist gitsin gium gizle glasses glaub glauben gleich glisse
    glitch glx gmail goals goc god gold goldinu gonder gondersin gonfle gong gorev gorevin gormesin
    gormez gormezden gorunce gorunmesin gorunsun gorusu gospel goster gosterme gottmodus gozuksun
    graba grade grades graduate grandmother grant granted grava grave greifst greift grenzen gross
    ground grun grunden guara guarana guardada guardadas guardia guardrails guclu gui guidelines
    guion gumus guncellemenizi guncellemesi guncellendi guter guven guvenilir guvenini guvenlik
    haan haber haberi habilita habilite habla hable haces hack hacked hacker hadi hafiza
    hafizandaki haftanin haftpflicht hagas hago halcyon halden halkla hallet halt halte ham hamare
    hand hange hani har hara harcama hareket harfi harvest hast hats hattest hau haus hausordnung
    haut haz hazine hazlo hazme heb hebe hebel hecho helfer helpdesk hemen hence henceforth hep
    hepsi her heraus hereby herkese herkesten herramienta herrn hesaba hesabi hesabin hesabina
    hesabindaki hesap hesaptaki hesitate het heute hic hidden hide hien hier hiermit hilo hin
    hinfallig hinten hinter hinterfrage hinterher hinweis hinweise hipotese hisseleri hit hoai
    hoang hoca hocanin hochste holder holdings holen hor hosts hotfix houver huan huissier
    hukumsuzdur humain human humano humans hunted huu hypermoon hypothesis ia iban ic ici icindeki
    icine icra iddia identidad identifiants identitat ignore ignorier ihm ihn ikna ilet ilimitado
    illimitee imagina imediatamente immediately immediatement immer imprime imzala imzayi inbox
    incelemesi inclua incluyas incorpora independentemente indica indicaciones indicada indicador
    infalible infinita infinite infinity inflate informe informiere informing ingeniero ingenieur
    inhaber inhabers inhalt initiales initiating inmediatamente inmediato insanlari inscris insider
    insiders inspectora inst instala instalador instale install installe installiere instrucao
    instruccion instrucciones instrucoes instruction instructions instructs instruktionen insured
    integral interdiction intern interna internas interne internen internes interno interpol
    interpreta interprete inutile invariably inventories inversor invest investidor investiere
    investieren investimento investment investor investors invierta invierte invisible invisivel
    invista invite invoke invoque ipe iris irrt isaretle isbu isi isle islemleri isleyen iste
    istedigin isteme istemini isto itaat itibaren itibariyla itll ivan izle jab jacaranda jaccepte
    jahres jailbreak january janvier jede jedem jefe jeffectue jenny jeton jette jetzt jo joga joia
    joint jointe joue judicial jugar junta juridico juzgado k ka kabul kahin kalan kaldir kaldiraci
    kaldiracla kaldirildi kalem kalici kalir kalmadi kanit kanitlanmis kanka kanun kapalidir
    kapital kappa kaptan kar karakter kardes kare karin karke karna karo karsilastirma karsiligi
    karstens karta kasa kasadaki kasanin kasayi katla kauf kaufen kaution kaybeden kaybi kayda
    kaydet kaydi kaydir kayitlari kayitli kazanan kazanc kazanir keiner kelimesi kem kenara
    kendiliginden kendin kendini kendisine kenh kennst kennt kes kesin kestrel khac khach khan
    khang khen ki kia kieng kill kim kimligini kimse kin kindly kinh kirmizi kirp kisitlamalar
    kisitlari kiyamet kiyas klartext klasorunu klick knowledge ko koi kommentar kommt komplett
    kompletten komuttur komutu konkurrenz kontakte kontext konto kontoinhaber kontonummer kontos
    kontratlarinda kontrolunu konus konusma konusuyor korkma koruma koydugu koyma koysun koyup
    kredit kriegt krypto kullanici kullanicidan kullanicinin kullaniciya kullaniciyi kullanma
    kunden kundin kunftig kunftige kunftigen kural kuraldan kuralin kuralini kurallar kurallari
    kurallarin kurallarini kurallarinin kuralsiz kuran kurtarmak kurve lab lach laction lade
    ladministrateur laf lafi lagent lah laisse lale lam lance lancienne langst lannonce lantivirus
    lanza largest lass lassistant lasst later laudit launch lauten lautet lauteur lautomate
    lautorisation lautre law lazim lea lean learn leave lechange lecteurs lector leere leftover leg
    lei leido leisten leite leitor lembranca lembre lemporte len lending lenk lensemble lepargne
    lequipe leser lesson lessons let letape leur leuten leve levee leverage ley lhe lia libera
    liberacao liberado liberados liberar liberated libere libre lieb liebe lieferung liest liet
    lift likh limit limites limitleri limitless limits lindicateur linki linsu lintegralite
    lintelligence linterdiction linux lips liquida liquidacao liquidacion liquidate liquidation
    liquidations liquide lirayi lis listele listen listening listeye listing litecoin lith lithium
    livre lixo liye llamas llegue llm lob lobo loccasion log loi loja longer longs loperateur
    loperation lordre losch losche losen losers losing losses lossess losss loup loutil loyalty
    luan luat lugar lui lumen lumo lunar luoc luon luot lutilisateur luyen ly maan mach mache
    machst macro macros madame madde maestro mahst mails maintainer maintenance maintenant maison
    maitre makler maksimuma mama manda mandado mandame mandan mandant mandanten mandar mandat
    mandate mandato mando manten mantenedor maquina marca mare maree margin marine mark markdown
    market marketing markiere marque mars martingale masal maschine masque mate matters maxima medo
    meilleur meint melde melhorem mem memo memoire memoria memorias memories memorise memoriza
    memorize memory menciona mencione menciones menh mensch menschen mensual mention mentioning
    mentionne mentions merak meri merk merke merkt mesajda mesaji messagerie mestre mete metele
    methode methodology metni metodo mets mias midnight mien mieng mienne miennes milho mille mim
    mind mine minera mineur minhas mio miscellaneous misreport missachte missachten mission
    mitteilung mme mnemonic mo mobeir moc modele modeles modelin modell modelle modeller modelo
    modelos moderator moderators modifie modulo moduna modunu moge moin moment momo monatsbericht
    monedero monero monte montre moonlight moral morals motus mua mude mudur muduru muna muot musst
    musteri musterilere musterinin musteriye musteriyi mustnt mutlaka naam nachfrage nachste nadie
    naked namens nap nas natal nattends naturally navertis nay naya neant nebenbei necesito necoute
    neednt neglect negocio nehmen neler nenn nenne nennen nereye nermin nervous nervt neste nett
    neydi nft ngam ngat nghe nghen nghia nghien ngo ngoan ngung nguoi nhac nhang nhe nhiem nhien
    nhu ni nicer nich nickel niemandem nifty nikkei nimm ninforme ninguem niveau nivel nix nobeis
    nobetciyi nobody nobodys nodded nogueira noi nombra nopasswd norma normale normas norte nos
    nose nosotros nossa nosso nossos nota nothing notice notices notiert notification notig notiz
    notlarini notre notu notun nous npm nr nudge nuestra nuestro nuestros nulle numarali numarasini
    numaraya nun nutzer nutzerdaten nutzers obedeca obedece obedecela obedecer obedecerme obedeces
    obeir obeis obeissais oben obergrenze oberhalb oberste obey obeying obeys obigen objective obs
    oculta oculto ode odemeyi officer official officiel offne offnet offre offshore oficio ohne oi
    ojos ok okafor okudugun okudugunu okundu okur okuyan ol olani oldugunu olha olmasin olmus olsun
    olumlu olur omega omets omisso omit omita omitira ona onayini onayla onaylandi onayli onaysiz
    onceki onceligini oncelik oner ones onkel onlari onun onune opera operador operando operateur
    operator opere opinion oraculo orada oradan oraya orcamento ordem ordena ordenes ordeno orders
    ordre orhan orientacoes origem originais originales orion ortam oryx otekilerin others oturumda
    oublier oui our ours outil outils outrank outranks outre outros ouvre ouvres ov overlook
    overpayment override overstate overwrite owner owners ownership oyle oyna oynayalim oyun ozet
    ozetleyen ozgur pa package pagala page paie pair paisa paketi palabra palladium pamuk paparaya
    papel parada paragrafi paragrafo paragraph paragraphe parametrage parasi parasini parayi
    parceiro pare parecer pareil parezca parle parmi parole parrafo parrainage partenaire partent
    partida partner partnerlink partout pasame passa passent passez passwd passwords past paste
    pastebin patel patrao patrimonio patron patronun pauschal pautas paylas payload payments payout
    payouts payroll pe peau peca peco pega pehle peine pena penceresi pense pension pensiones pepex
    perante perda perdante perdas perdedora perdue performance performans perguntar perguntarem
    permanente permiso permissao permission permit person persona personagem personaje
    personlichkeit personnage personnalite persuade persuaded pesa pesin pessoal petit petroleo
    peur phap phare phep phia phim phot phrase pida pidan pidas pie pinta pirata place placed
    plafond plane planilha planli plantao plateforme plateformes platforms pleine plena plenos pls
    plx pnl poderes poe poem poema poeme poli policia policier policy polisim polite politica
    politicas politique pon pone ponha ponle pont ponte pop popup porfa porteur portfolio portfoy
    portfoyun portray positif positionsgrosse positive post postala postayi poste posted posten
    posts pote pousse pouvoirs powell powers poyraz ppr pr pra prage praise prasident precede
    precedentes preciso preencha preguntan preguntar pregunte pregunten preguntes prejuizo premium
    prends prenez presale presenta presente presents president prestado presume pretend prevenir
    preventa previas previdencia previens previo previsoes prima primo principale principio prints
    prioridad prioridade prioritaire prioritat priorite priority private privileged prix proactive
    probado proceda procede proceed proceeds proces procese processing prochain procuracao producto
    products produits produto profit profitable profits programador programming prohibiciones
    prohibido proibicoes promo promote prompt promptunu proof propietario proposal proprietaire
    proprietario proprio prossiga protective protokoll protokollieren prouve prouvee prova provado
    proven provisionen proximas prozent prudence prudent prudente prufer prufung ps puanini publica
    publier publique puerto puesto pula pule pump punkt puntuacion purge push pusieron puso put
    pwned qo qualite qualquer quant quedan quedas quedate quede quelles querido question
    questioning quet qui quiconque quiet quietly quils quita quon quoted quotes quyen ra raconte
    rahat raiz rakami rakip ramiro rang rango rank ranking rao rapido raporlama raporlarda rastro
    raum raus reached readers reading readme real realistic reallocation rebaixamento rebate recap
    recebe recebeu recebidas receta rechne recht rechte recipient recite reclame recomende
    recomienda recommande recommend recommendation recopie records recuerdo recues recusar redacta
    redondea reemplaza reenvia referencia referral refuser regard regeln regelwerk registra
    registre regla reglamento reglas reglement regles reglez regras regularisation reich rein
    rellena remember remeta remetente remets remit remplace rename rendite renforce rentabilidad
    rentabilidade reparar reparte repeat repeated repita repite replace reply repo repondez
    repondre reponds reponse reported reporting repositorio reprends repute reputee rescue research
    resena resenas resend reservas resgate resolucion respecter respeitar respetar responda
    responde responder respondera respondes resposta respuesta rester resto restricao restriccion
    restricciones restricoes restrictions resultado resumen resumenes resumer resumir resumo
    retiens retira retiradas retirado retire retour retraits reuters revela revele revient review
    reviewer reviewers revisado revise revised revisor revolut rewrite rewritten rf rhyme rica
    richte richtlinie richtlinien riesgo riesgos rights riscos risiken risiko risikoabteilung
    risikolos risikoteam risk risksiz risque rival riza rm robo robos robot robozinho robust
    robusta rodape rode rogue roi rojo rol roleplay rolle rompe root rotate roteiro roten rotina
    route roux rs rsa rubber ruber rucken ruckfrage ruckfragen rucksprache ruega rufe ruhig rui
    rule rulebook rules runde rut sab sabes saca safe safeguard safest safety saffiche sag sage
    sagen saglam sagt sahibi sahibin sahibine sahibini sahibinin sahsi saisis sakla salary saldo
    sale salga salgan salta saltate sammelkonto samt samtliche sana sanh sans sapplique sappliquent
    sarrete sat satin satiri satirina satirini satisa satisfait satz savings sayfanin sayfayi
    sayilir sayin sayisini schalte scheiss schick schicke schieb schlaft schlecht schopfer schreib
    schreibe schritte schwacher schweigen scrap scrub sec second secret secreta securities security
    seedha sees segue seguem seguinte seguir seguira segunda segura seine seinem seiner selber
    selling selo sem semblant sen senal send sende seni senin senior senora sensin sep sequestre
    serait serbest serieux sers sessizce sessoes setapprovalforall settlement setz seul seviyesi
    seye seyi sh shadowtrader shall shark shell shift shill ship sicak sicherheitskonto
    sicherheitsregeln sicherheitsteam sidenote siehe sifatiyla sifir sifira sifreleri sifreyi siga
    sigas signal signalen signatories signatur signe signee signes signiere signo sigorta sigue
    siguela sigues siguiente sil silence silencio silver simdi simdiye simplest sinal sindico sinir
    sinirin sinirini sinirlari sinirsiz sinyal sinyali sira sirada siradaki siraya sirayla sirf
    sirketin sistem sistema sistemin size sizes sjc skim skip slippage slowly slows smooth sms sob
    sobe sobran sobrescreva sobrescribe socio socios sofort sohbet soi sois sok solana solde soldes
    sole solicita solicite sollst solta sombre somos sonraki sonstiges sonsuza sonu sonucu sonuna
    soran sorarlarsa sorarsa sorgulama sorgulamadan sorma sormadan sormak sormana sors sortie
    sorularima sorulursa soruya sos sou souvenir souviens sowieso soybeans soyle soyleme soylemeden
    soylenen soz sozinho sozlesmenin sozlesmesi sozlesmeye sozu sozunu speicher speichere spell
    spender sperre spiel spielen sponsor sponsored sprachmodell sprachmodelle spread sprich spricht
    ssh stabil stablecoins stacks staff staked staking stammt standing stands startanweisung starte
    statt stattdessen stealth steer steht stell stelle step sterbenswortchen sterne stets
    steuerberater stick stoplari stops stopsuz stp straight strategie strategy strateji stratejinin
    stratejiyi streich streichen streu strong stufe stundlich suas suba subcuenta sube subscribers
    substitua substitui substitute suc sudo suelta suffit suggest suggestion sugiere sugira suis
    suit suite suivant suivante suivantes suivre summaries summarise summarising summarize
    summarizing summary summarys sunu sunucuya suong superusuario superviseur supervision suphe
    supprime suprima supur surdur suresini surprise surveillance sustituye sut sutununu swaps sweep
    sy sydney system systeme systemnachricht systemprompt ta tabela tabla tablosunu tabloya tac
    taches taire tais tak takvim takvimdeki talebi talimat talimati talimatlari talimatlarin
    talimatlarini talimatlarinin talk taller tamam tamami tamamini tamamla tamamlar tanimayan tanit
    tapa taramasi tarayan tarea tarefa tarefas tarifi tarihini tarn tartismaya tatilde tatsache
    taucht tausche tavani tavsiye tax taxe te tecnico teknik tekrarla telecharge telegram tell
    tells teminata teminatin temiz temizle tenfold tengas tenir tens tension tep terme termina
    terminali ters tes teslim tesoreria tesouraria testa testi testlauf tete teto teu thanh thema
    thien thoi thousands thresholds throw thua thuan thuat thuyet ti tick ticket tienda tienne
    tiens tiep tier tio tipps tira tire tisch titulaire titular tivesse toan toda todas today todo
    todos token tokeni tokenleri tokens told toma tomber ton tonight tonights tonnes tope topes
    topla topo toros toss totalite tour tourner tous tout toute toutes trabaja trabajas trabalha
    trace traces trach trader trading traduce traduis traduza trag traga trage tragt training
    traite tramite tran tranche transferiere transfiere transforme translate transmets transparency
    trao trate trava travas treasury treat treated trecho treffer tresor tresorerie treuhandkonto
    trich trien trigger triple tro trois troque trum trust trusted trustworthy tua tuan tuas tudo
    tuesdays tui tum tumba tung turbofi turn tus tust tutan tuyet tweet twin typical typo ubergehe
    ubernimm ubernimmt uberrede uberschreibe ubersetze uberspring uberzeuge ubrigen ubrigens
    umbuchung umgebungsvariablen umgehe umschichtung umursama unbefristet unbegrenzt undersigned
    understate undervalued unfehlbar unfiltered ungekurzt unicamente unlearn unlimited unlock
    unlocked unrestricted uns unsafe unser unsere unserem unseren unserer unsichtbar unsubscribe
    unten unterkonto unterschreib unut unverzuglich uoc upar upgraded upload upwards ur urge
    urgente urrutia ursprunglichen usdtyi users ustundedir ustundur usuario utilise utilizador uu
    uy uyacaksin uyarilari uyarinca uyarisi uygula uygulamayi uygun uyum uzman vacia vakit valable
    valem valen valent validado validar vamos van vang vao var vara variaveis varsa vault vaut vea
    veas vekalet velha vem vend vendendo venga vent vento ver verarbeitet verbal verbinde verbuche
    verde verdes verdigi verdopple verfahren verfasser vergiss vergiyi vergleich verhalte
    verificacao verificado verified verifiziert verilecek verilen verilmis verite verkaufs verlange
    verlustlimit verlusttrade verlusttrades vermelho vermelisin vermerk vermis verpflichtet verra
    verrate vers verse versin verso verstanden versteckten vert vertrag vertrauen vertrauensstufe
    vertrauenswurdig vertraulich vertusche verwendungszweck verwerfen verwirf vet vie vien viene
    viens vient viet vigor vilnius vinh vip vira virements visitantes visite vite voici void
    volatilite volatility voll volle vom vorab vorgabe vorgaben vorher vorherigen vorhin vorrang
    vorschriften vorverkauf vorziehen voss vota voting vu vua vuelca vuelva vuelvas vuelve vut wahl
    waived wala wale wali wapas ware warne warnings warnungen warst wartungsfenster watchdog
    wechsle weder weeks weight weisst weist weisungen weiter weizen welcome werkzeug werkzeuge
    wette wget whatever whenever whitelist whoever whole widen widerruf widerrufen wiederhole win
    winner winning wins wipe wire wirf wishes wissen withdraw withdrawal withdrawals withhold wo
    woher worden words worry wort write wunscht xac xanh xau xep xiu xoa xoi xua yalniz yani yaniti
    yap yapay yapilacak yapip yapistir yapiyorum yapiyoruz yardimci yardimcisi yasak yasaklar yatir
    yatirim yatirimci yatirma yay yaz yazan yazani yazdir yazili yazisi yaziyi yaziyorum yazma
    yazsin ye yere yerine yetkili yetkin yetkisi yetkisini yetmezse yildiz yokmus yoksa yoktur
    yolla yonerge yonergeleri yonetici yoneticiyim yonlendir yontem yontemi yorum yorumlari yorumu
    youll youre youve yukarida yukaridaki yuklendi yuklenen yukselt yuz zahl zahlen zahmet zarurat
    zaten zeige zeile zeka zekasi zekaya zentro zera zere zero zeros zieh zieht zinc zitieren zora
    zorundasin zugang zugangsdaten zugestimmt zusammenfasst zusammenfassung zusammenfassungen zwar
    zweifle zwilling
""")
"""A text in ASCII without any of these is not weighed."""
