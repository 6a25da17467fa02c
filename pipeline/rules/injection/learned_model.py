"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "4124f76fb20e51f81d56f57c71ad53141266bee9158dea97dfd1e917b2fa911e"

THRESHOLDS: Final = {
    "en": 58758,
    "zh": 58360,
    "es": 53542,
    "pt": 57246,
    "ru": 55803,
    "de": 55183,
    "fr": 58302,
    "ja": 54028,
    "ko": 57973,
    "ar": 55385,
    "hi": 56925,
    "tr": 57023,
    "vi": 56152,
}
"""By language: a part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    aaa aaye ab abajo abandon abandonne abfrage abgeschafft abgeschaltet abheben abhebungen abhi
    abi abonar abre abrimos absatz abschluss absicherung absolue absoluta abstraction abzulegen ac
    aca acabou acatar accept accepte accorde accordingly aceite acepta aceptar acepto acerta ach
    achete acikla aciklamasi aciklanmaz aciklarim acilinca acknowledge aconseja aconselhe acrostic
    act acta actua addr adelantame adelante adimi adimlari adin adina adivinanza adjunta adjunto
    admin administrador administrator adopt adotas adresine adresini adressbuch advertencias advise
    afaste affiche affichez affiliate affirme afiliado afirma afirme agente agenten agentes agents
    aggressive agilizar agis agit agora agreed agrega agujero agzindan ahora ahorros ai aidat aile
    ainsi airdrop aja ajan ajanin ajanlar ajoute aklina aksoy alacak alavanca alavancagem aldigin
    aldirmadan alertas alerting alfa algoritmo alignment alinir allein alles allez allocate
    allowance alma alors aloud als alsin altindaki alttaki amtlich analisis analista analiz
    analizim analyse analysis analyst andan anderen anexo anh anhang aniyi anketine anlage anlastik
    anlat anlatma anma annex annexe annulees anordnung anordnungen anschliessend answer answering
    ante anterieure anteriores antidate antivirus antwort antworte antwortest anula anuladas anule
    anweisung anweisungen anwender anywhere apaga apague aparecer apikey aplicam aplicar apoderado
    apostador appears appelle appli applique appliquer approbation approche approuve approval
    approve approved apresenta aprobacion aprobada aprobado aprova aprovada aprovado aprove
    aprovecha aprueba apuesta apuestas apunte apuntes apuracao aquela aquele aqui aquilo arada
    aramizda aranmaz arasina arastirma arbeite arbeitest aroeira arquive arranca arrangement
    arranque arredonda arriba arrived arrojado article articulo artida artik artikel asagida
    asagidaki asagidakini asegura asi aside asil asistan asistana asistanin asistaniniz asistanlar
    asistente ask asked asking asks assign assina assinatura assine assinou assistants assistent
    assistente assistenten assuma assurance assure asunto atende atiende ativo atla atrapalha
    attach attached attacker attackers attention atua auditado audited auditeur auditor auditoria
    aufgabe auflisten auftrag auftraggeber augen aumenta aupres aur aura ausfallquote auspicious
    ausschliesslich ausser ausserdem aussieht auszahlungsadresse auszufuhren autant author
    authorisation authorise authorised authority authorize authorized automated automates
    automaticos automatizados autonomous autor autoridad autorisation autorite autoriza autorizado
    autorize autorizo autorizou autres avaliacao avance averaging avertissements avis avisar avises
    aviso avoirs away ay ayarla ayikla ayiklama aynen ayrica azicik baad baar baat backdate
    backtest bad badal bagimsiz bagla baglantiyi bags bahsetme bail baisse baixe bakalim bakan
    bakanligi bakimda bakiyenin bakiyeyi bakma balance balances balles bananacoin bancaires banco
    bannera barque barre barren bas basari bascule bash basi baskasi baslayan basta batacazo batan
    bau bay beachte beantworten bearish beat beaten beats bedelini befehle befehlen befolge
    befolgen beginners begleichen begrenzung behalte behandeln behandle behaupte behave behaviour
    beiseite beitrag bekleme beklemeden bekommen bekommst bekommt belge bellegine belli bemerkung
    benachrichtigung bende benden beneficiary beni benim benimkilere benimm bereitschaft bescheid
    beschrankungen beschreibe besitzer besitzers besoin besprochen bestand bestande bestatige beste
    besuche betigi betrachte betreff betreiber betreibers between bewegen bewerte bewiesen beyin
    bezeichnen bhai bhej bhi biggest bildirme bilgisini bilmece bin bina bindend biometria birak
    birakip birakma birinci bisher bisherigen bist bitacora bitcoinleri biten bitene biter bitince
    bitir bitte bitten bittet biz bizde bizden bize bizim bizimkini biziz bizum blame blanca
    blanche blanket bleib blog blogu bloomberg boat boca bogaz bol boletim boletin bolsa bolu
    books borra borsaci borsamizi borsanin borsasina bosalt boss bosver bot botlar botlara bots
    botu botun botuna boyle boz bozdur bozdurup branca brandt brauchst breaker brecha bremse bridge
    briefing brightwater brincar brisa brisket bro broker brokers brouille bu buch buche bucht buen
    bueno bugun bugunku bulletin bulten bulteni bulundugundan bump buna bundan bung bunlara bunu
    bununla buoc buraco burada buradan buraya buriti bury busque butun buying buyuklugunu buyut
    cabeca cabeza cabinet cachee cachera cadastro cadre caducaron cafezinho cagir cagnotte
    cagrisini caixinha cala calado calendario caliente califica calisiyor calistir calla calladito
    cambia camufla canceladas candle canlida cao cap captain carimbo carnaval carrega carry
    carteira casse caution cbu ccye ce cease ceci cede ceiling cek cekilme cekimi cekirdek
    celisirse celle celles celui cem censorship censura ceo certain certifie certified cesse ceux
    cevabi cevabina cevap cevapta cevir cevirip chahiye chairman chalega cham chama chame changelog
    chao chap chaque chart charte chatverlauf che checks chef chefe cheia chen chia chmod cho chu
    chuan chuc chut ci cierto cift cikacak cikan cikar cikarip cikarsa cikma cikmis ciksin ciktisi
    cima cinar cita citado citar cite citer claim classe classifique clausula clave cle clear
    clearance clica click client cliente clima cobalt cobardes cobra cobro coc coche codes coding
    coe coffre cofre coi coin coini coinleri coisa cola colchon cold collateral colle colonne
    comanda combinado comenta comentario comisaria comme commentaire commissioner como compadre
    comparatif comparativa compares comparte competencia competing competitors complet completo
    compliance comply comportate compra comprador compras comprobado comprovada compta compte
    concentration concepteur concepto concordo concorrente concurrence concurrents conducting
    conecta conferencia confia confianca confiance confianza confiavel confidence confidential
    confirma confirmation confirmed confirmes confirmiez conformidad connais connait conscience
    consejero consent consented consentimento consentimiento consequence conservador considera
    considere considerer consigne consignes consola consorcio constraints consultar consulting
    conta contar contato contatos conte contents contesta conteudo contexto contra contradict
    contradigan contrary contrat contredisent controles convaincs convem convenca convence conversa
    conviction convince convite cooperate cope copilot copilote copiloto copilots corre correcte
    corretora cortar costs cotista coucou counterpartys coupe courbe course courtesy cousin
    cousinen coz cracha cran crank creador createur creator creators credenciales credentials
    criador crime cripto criterio critica criticas crois cto cu cuaderno cuales cualquier
    cualquiera cuce cuenta cuentan cuentes cuestiones cukur culpa cum cumlesini cumleyi
    cumplimiento cumplir cumpra cumpre cumprir cung cupom curl curve custar custodia custody
    customer cuzdana cuzdanimi cuzdanin cuzdanina daal daalna daccord dads daima dal dale dalerte
    damit damos dan danismadan danisman dapp daqui darfst darunter dassistant datiere dauerhaft
    davant davet davon davor davran deaktiviere dealer dear debat debes debito debloque debranche
    debutants deceased decide decidido decirme decouvert decris dedigi dedigimi dedigine dedigini
    deemed deficit degerse degilsin deginme degismez degisti degistirin degistirip dein deine
    deinen deines deixa deixem deixou dejes dek deka dela delante delcourt dele delegue delete
    deletrea deli delle delphi demander demandes demas demektir demonstrativo demostrada demote
    dena denetciye denetim denetimi denetimsiz deney denvironnement deny dep departamento depenser
    depose deposer deposit deposita depositar deposite deposito deposits depot depotinhaber
    depozitoyu dequipe deram derece derhal derogation deroule derse dersen dersin desactiva
    desactivadas desactive desactivees desarrollador descarta descoberto desconsidere describe
    desenvolvedor desks desliga desobedece desormais despacha despacho despeja desse dessein dessen
    desta destaque deste destination determina detre deus dev devant developer developpeur devem
    deviens devlet devolva dexposition dhier di diagnosis diagnostico diante dici dictate dicte
    dieron diesem diesmal diga diger digerlerinin digo dijeron dijital dikha dikhana diktier dile
    ding dinle dinleme dinlemeyi dios dipnot dir dira dire directamente directement directions
    directive directives director directrices directs direkt diretamente direto diretoria
    diretrizes diris dis disa disable disagree discard disclaimers disclose discussion discute
    discuter disparaitre dispensa dispensada dispensado dispense disser disseram distinto dito
    divergir divers diversification divert divide diye diyene diz doan dobeir dobla dobra dobrar
    dobro doch doctobre documento dogrudan dogrulama dogrulamak dogrulamayi dogrulandi dogrulanmis
    dok dokument dokuments dolayisiyla doldur dona donc donne dono dor doravante dorenavant
    dorigine dorthin dosyada dosyasindaki dosyasini dosyasinin dot double doubt doubts doutor
    downplay dr drain draining drauf drawdown drawdowns dreht drop druck duda dudoso dueno dugun
    dump dunmore duplica durch durdurma durma dursun dus dusecek duser dusmesin dussun dusuk dusun
    dusur dusurdugunden dut duyet duyurusu duzelt duzeltmesi eased eben echange echanges echte
    economise ecoute ecrase ecris edecek edeceksin eder ederse edilecektir edilir edilmez
    edilmistir edilsin ediniz editorial ediyorum efectos efeito eft egal egaree egitim eh
    eigentumer eight einbruch einfach einsatz einschrankungen eintrag eintrage einzahlungsadresse
    einzigen einzuzahlen ejecuta ejecutalo ejecutando eki ekle eksiyi ekte ektedir ekteki elas
    elevate eleve elimina elindeki elliott elogio email emanet embaixo emergencia emetteur emirleri
    emirlerimi emirlerini emirlerinin empfehlen empfehlung empfiehl empiece empieza empresta
    emprunte empurra encaminhe encargo encarna encarne encode end ende endet engage engenheiro
    englische enleve ensenes ensinaram entao entendeu entendido entere entfallen entfallt entferne
    entiere entire entorno entra entram entre entrega entregue entscheidet entsprechend entusiasmo
    entwickler entwicklermodus entwicklernachricht entwicklers envia envie environment envoie eof
    equipa equipe equivale erase erdi erfolg erhohe eridi erinnerung erlaubnis erledige erledigt
    erlos eroffne erra erscheint ersetze ersetzt erster erteilt erubrigt erwahn erwahne erwahnt
    erzahl esas esconde escreva escreve escrever escribe escritorio escrow ese esigi eskisini
    esperes esquece esto estorno estrategia estrelas estrellas esvazia etablis etaient etais etant
    etape ethics ethique etica etiketle etme etmeden etmesin etmez etmis etoiles etsin eurusd eux
    evaluate evaluation everybody everything everywhere evet evil evilbot exchanges excluded
    executa executando execute executive exempt exercicio exhaust existe existencia existiu
    expediente expire explained explico export exporta exporting exposicao exposicion exposure
    externa ey eyes factsheet facultado fais faits fala falan falando falei falou falsify fang
    faria faro farrow favorable favour faz fear federal feed fegen fehltrades felicitalo fence
    fenetre fera ferait fermes ferramenta fester festgeld fetch fett feu fiable fibonacci fica
    ficam ficha fiche ficheiro fie fifty figura figurar figures fija fil filet fill filters
    filtresiz filtros finge finja fire firewall firma firman five flights floor folge folgende
    folgendes folgst folgt following follows fona fonce fondateur fonumuzu fonun fonunu footer
    footnote footnotes forcada forecast forecasts forgets formal formalite formality formel
    formulario foro fort forty forum forward fosse fou fous fragen fragt francfort freely frei
    freie freigabe freigegeben freio freno frere fruhere ftp fuerte fuge fuhr fuhre fuhrst funcao
    fund furs fusszeile futur gac gain gains gambler gana ganze ganzen garantido garantiert
    garantili garantizado garde garonne gat gbm gebeten gec gecer gecerli gecir gecirme gecmeye
    gecmisi gecsin gedachtnis gedicht gefragt gefuhrt gege gegeben gegenbeispiele geh geheim
    geheimen gehorche gehorchen gehorchst gel gelirin gelistirici gelistiricinin gelten gemass
    gemelo genannt genannte genehmige genehmigt genehmigung genio genre gens gentil genugt gercek
    geregi gerek gerekmektedir gerencia gerisini gesamte gesamten gesetz gespeicherten gesprach
    getir getiriyi gewesen gewicht gewinnt ghe ghi ghim ghost gi giai giau gib gibi gibst gilt gioi
    gir gira gist gitsin gium glasses glaub glauben gleich glitch glop glx gmail goals goc gold
    goldinu gommer gonder gondersin gonfle gong gorev gorevi gorevin gormesin gormez gormezden
    gorunce gorunmesin gorunsun goruntusu gorusu gospel goster gosterme gottmodus gozuksun graba
    grade grades graduate grand grandmother grant grau grava grave greift grenze grenzen gross
    ground grun grunden guara guarana guard guardada guardadas guardas guardia guardrails gui
    guidelines guion gumus guncellemenizi guncellendi gurujis gute guter guven guvenilir guvenini
    guzellik haan haberi habilita habilite habla hable haces hack hacked hacker hadi hafiza
    hafizandaki haftanin haftaya haftpflicht hago hakchen haken hakki halcyon halden halkla hallet
    halt halte ham hamare hand handelst handelt hange hani har hara harcama hareket harfi harvest
    hast hats hattest hau haus hausordnung haz hazine hazlo hazme heb hebe hebel hecho helfer hell
    helpdesk hemen henceforth hep hepsi hepsini her heraus hereby herkese herkesten herramienta
    herrn hesaba hesabin hesabina hesabindaki hesap hesaptaki hesitate het hic hidden hide hien
    hier hiermit hilo hin hinfallig hinten hinterfrage hinweis hinweise hipotesis hisseleri hit
    hmrc hoai hoang hoca hocam hocanin hochste hol holder holdings holen hor hot hotfix houver huan
    hubsch huissier hukmundedir hukumsuzdur humain human hundert hunted huu hypermoon hypothese
    hypothesis ia iadesi iban ibana ic ici icindeki icine icra iddia identidad identifiants
    identitat ignora ignore ihm ihn ikna ilet ilimitado illimitee imagina imediata imediatamente
    immediately immediatement imprima imprime imzala imzasi imzayi incelemesi incendiava incident
    inclua incluyas incorpora independentemente indica indicaciones indicada indicador indirip
    infaillible infalible infinita infinite infinito infinity inflate informe informes informiere
    informing ingeniero ingenieur inhaber inhabers inhalt initiales initials inmediatamente
    inmediato ins insanlari inscris insider insinua inst instala instalador install installe
    installiere instrucao instruccion instrucciones instrucoes instruction instructions instructs
    instruktionen insured integral interdiction interna internas interne internen internes interno
    interpol interpreta interprete inutile invariably inventories inversor invest investidor
    investiere investieren investimento investment investors invierta invierte invisible invisivel
    invista invite invoke invoque ipe iris irrt isa isaretle isbu isi isle islemler islemleri
    isleyen isolated istedigin isteklerini isteme istemini isto itaat itibaren itibariyla itll ja
    jab jacaranda jaccepte jahres jailbreak janvier jede jedem jefe jeffectue jeito jeton jette
    jetzt jo job joga joia joint jointe joue journal judicial jugar juridico juzgado kaam kabul
    kahin kalan kaldir kaldirac kaldiraci kaldiracla kaldirildi kaldirip kalem kalici kalir kalle
    kalmadi kalmasin kalsin kanit kanitlanmis kanka kanun kapalidir kapat kapital kappa kaptan kar
    karakter kardes kare karke karna karo karsilastirma karsiligi karta kasa kasadaki kasanin
    kasayi katla kauf kaution kaybeden kaybi kayda kaydet kaydi kaydir kayit kayitlari kazanan
    kazanir kazi kein keiner kelimesi kelimesine kelly kem kenara kendiliginden kendin kendisine
    kenh kennst keo kes kesin kesinti kestrel khac khach khan khang khen khol ki kia kibristaki
    kieng kill kim kimligini kimse kin kindly kirmizi kirp kisitlamalar kisitlari kismi kiyamet
    klartext klasorunu klick knowledge ko kodlari koi kommentar kommt komplett kompletten komuttur
    komutu konkurrenz konntest kontakte kontext konto kontoinhaber kontoinhabers kontonummer kontos
    kontrolunu konus konusuyor konuyu kopruden korkma koruma koydugu koyma koysun koyup kredit
    kriegt kullanici kullanicidan kullanicinin kullaniciya kullaniciyi kullanilmayacak kunden
    kundengelder kundin kunftig kunftige kunftigen kural kuraldan kuralin kuralini kurallar
    kurallari kurallarin kurallarini kurallarinin kuralsiz kuran kursun kurtarmak kurulumda kurve
    lab lach lade ladministrateur laf lafi lagent lah laisse lale lam lance langst lannonce
    lantivirus lanza largest lass lassistant later lattention laudit launch lauten lautet lauteur
    lautomate lautorisation lavertissement law lazim lea lean learn leave lechange lecons lecteurs
    lector leere leftover leg lei leicht leido leisten leite leitor leitung lektion lembranca
    lembre lemporte len lend lending lenk lensemble lepargne lequipe lerem leser lesson lessons let
    letape leuten levanta leve levee levees lever leverage lextension ley lhe lia libera liberacao
    liberado liberados liberar liberated libere libre lieb liebe lieferung lies liest liet lift
    ligne likh limit limites limitleri limitless limits lindicateur lindner linki linsu
    lintegralite lintelligence linterdiction linux lips liquida liquidacao liquidacion liquidar
    liquidate liquidation liquidations liquidators liquide lirayi lis listele listen listening
    listeye listing litecoin lithium litio livre livrets lixo liye llamas llegue llm lobo loccasion
    log loi longer longs loperateur loperation lordre los losch losche losen losers losing losses
    losss loup loutil lower loyalty ltd luat lui lumen lumo luna lunar luoc luon luot lutilisateur
    luyen luzum maan maar mach mache machines machst macro macros madame madde maestro mails
    maintainer maintenance maintenant makale makler maksimuma mama manda mandado mandame mandant
    mandanten mandat mandate mandato mando mantenedor manuals maquilla maquina marca mare maree
    marge margin marine marjin mark markdown marketing markiere marque mart martingale masal
    maschine masque mat mate matter matters maxima medo meilleur meint melde melhorem mem memo
    memoire memoria memorias memories memorise memoriza memorize memory menciona mencione menciones
    menh mensaje mensch menschen mensual mention mentioning mentionne mentions merak meri merk
    merkt mesajda messagerie mestre metamask mete metele methode methodology metni metnini metodo
    mets mias midas midi midnight mien mienne miennes migracao mille mim mind mine minera minhas
    mio miras miscellaneous misin misreport missachte missachten mission mitteilung mme mnemonic
    mobeir mode modele modeles modelin modell modelle modeller modelo modelos moderator moderators
    modifie modulo moduna modunu moge moin molesta moment momo monatsbericht monero monte monter
    montre moonlight moral morals mort motus mrs mude mudur muot mur musst musteri musterilere
    musterinin musteriye musteriyi mustnt naam nachfrage nachste naked nam namens namlich nap nas
    nasdaq natal nattends naturally nav navertis nay naya neant necesito neeche neednt neglect nele
    neler nenn nenne nennen nereye nermin nervous nervt nes nessa neste nett neydi nft ngam ngat
    nghe nghen nghia ngo ngoan nguoi nhac nhang nhe nhiem nhien nhin nhu nhung ni nicer nich nickel
    niega nifty nikkei nimm nimmt ninforme ninguem ninh niveau nix nobeis nobetciyi nobody nobodys
    nod nodded nogueira nombra nord normas norte northgate nos nose nosotros nossa nosso nossos
    nota nothing notice notices notiert notification notig notiz notlarini notre notu notun nous
    nouvre nova npm nu nudge nuestra nuestro nulle numara numarali numarasini numaraya nun nutzer
    nutzerdaten nutzers obedeca obedece obedecela obedecer obedecerme obedeces obeir obeis
    obeissais oben obergrenze oberhalb oberste obey obeying obigen objection objective obs obur
    oculta oculto ode odemeyi officer official officiel offne offnet offre oficio ohne ohren oi
    ojos ok okay okudugun okudugunu okundu okur okuyan ol olani olmasin olmus olumsuz olur omega
    omets omiso omisso omit omita omitira ona onayini onayla onaylandi onaylanmis onayli onaysiz
    onceki onceligini oncelik oner ones onlari onun onune opera operador operando operateur
    operator opere opinion oraculo orada oradan oraya orbx orchid ordem orden ordena ordenes ordeno
    orders ordnung ordre ordres orhan orientacoes originais originales orion ortam oryx osvaldo
    otekilerin others otp oturumlarda oublie oublier oui our ours outil outils outrank outranks
    outre ouvre ouvres ov overdue overlook overpayment overstate overwrite owner owners ownership
    oyle oyna oynaklik oynayalim oyun ozet ozetine ozetleyen ozgur pa package pagala page paie pair
    paisa paketi paketini palabra palladium pamuk paparaya papel papelera paragrafi paragrafo
    paragraph paragraphe paraisse parametrage parasi parayi parceiro parche pare parecer pareil
    parezca parfait parle parles parmi parolasini parole parrafo parrain parrainage partenaire
    partent partida partner partnerlink partout pasa pasame passa passent passez passwd passwords
    past paste pastebin pata patrao patron patronun pauschal pautas paylas payload payments payout
    payouts paypal payroll pe peau peco pega pehle peine pena penceresi pense pension pepe pepex
    perante perda perdante perdas perdeu perdida perdue performance performans perguntar
    perguntarem permanent permanente permiso permission permit person persona personagem personaje
    personlichkeit personnage personnalite persuade persuaded perte pesa pesin petit pfeif phap
    phare phep phia phot phrase phung pida pidan pidas pie pied pinta pip pirata place placed
    planilha planli plantao plateformes platforms playbook pleine plena plenos pls plx pnl poche
    poderes podes poe poem poema poeme polardex poli policier policy polisim polite politica
    politicas politique pon pone ponha ponle ponlo pont ponte popup porfa porteur portfolio portfoy
    portfoyu portfoyun portray positionsgrosse positive post postala postanin postayi poste posted
    posten pote pousse pouvoirs powell powers poyraz pozisyon ppr pr pra prage praise prasident
    precede precedentes precio preciso preencha preguntan preguntar pregunte pregunten preguntes
    prejuizo premium prends prenez presale presenta presente presents president prestado presume
    pretend prevenir preventa previas previdencia preview previo previsoes prezado prim prima primo
    principale principe principio prints prioridad prioridade prioritaire prioritat priorite
    priority private privileged prix proactive probada probado proceda procede proceed proceeds
    proces procese processing prochain procuracao produto profit profitable profits programa
    programador programming prohibiciones prohibido proibicoes projekt promedia promo promote
    promova promove promoviert prompt promptunu proof propietario proprietaire proprietaria
    proprietario proprio prosseguir prossiga protective protokoll protokollieren protokollierst
    prouve prouvee provado proven provisionen proxima proximas proximos prozent prudence prudent
    prudente pruft prufung ps puanini publica publier publique puedes puerto pula pule pump
    puntuacion purane purge push pusieron puso pwned qo qualite qualquer quant quapres quedas
    quedate quede quelles querido question questioning qui quiconque quiet quietly quils quit quita
    quitale quon quoted quotes quy quyen ra rachete raconte rahat raiz rakami rakh rakip ramiro
    rang rank ranking ransom rapido rapordan raporlama raporlarda rappel rastro raum raus reached
    readers reading readme reallocation reassigned rebaixamento rebalance rebate recap recebe
    recebidas receta rechte recipient recite recomenda recomendacao recomende recomienda recommande
    recommend recopie recuerdalo recuerdo recues recusar redacta redondea reemplaza reenvia
    referencia referral refuser regard regeln regelwerk regista registra registre registros
    reglamento reglas reglement regles reglez regras regulamento regularisation regulariseras reich
    rein release rellena remark remember remessa remeta remetente remets remis remit remplace
    remplacez remplis rename rentabilidad rentabilidade reparar repare reparte repasse repeat
    repita repite replace reply repo repondez repondre reponds reponse reported repositorio
    reprends repute reputee rescue research resena resenas reservas resgate resolucion respecter
    respeitar respeite respetar responda responde responder respondera respondes resposta respuesta
    rester resto restore restricao restriccion restricciones restricoes restrictions resultado
    resumen resumenes resumer resumir resumo retiens retira retirado retire retour retraits reuters
    revela revele review reviewer reviewers revisado revise revisor revogadas revolut rewrite
    rewritten rf rhyme rica ricam richte richtlinie richtlinien riesgo rige rights riscos risiken
    risiko risikoabteilung risikolos risikomodul risikoteam risk risksiz risque rival riza rm robos
    robot robozinho roda rodape rode rogerio roi rojo rol roleplay rolle rombo rompe root rotate
    roteiro rotina route roux rs rsa rubber ruber rucken ruckfrage ruckfragen rucksprache ruega
    rufe ruhig rui ruim rule rulebook rules runde rut saatini sab sabah saberia sabes saca sach
    sache safe safeguard safest safety saffiche sag sage sagen saglam sahibi sahibin sahibine
    sahibini sahibinin sahsi saisis sakla salary saldo salga salgan salta saltarte saltate
    sammelkonto samt samtliche sana sanh sans sapplique sappliquent sarrete sat satin satiri
    satirin satirina satirini satisa satisfait sats saute savings sayfadaki sayfanin sayfayi sayili
    sayilir sayilsin sayin sayisini schalte schein scheiss schick schicke schieb schlaft schlecht
    schloss schopfer schreib schreibe schritte schtum schwacher schweigen scrap sec sechs second
    secret secreta security seedha sees seferinde segue seguem seguinte seguir seguira segura
    seinem seiner seite selam selber selling selo sem semblant sen senal send sende seni senin
    senior senor senora sensin sep sepeti sequestre serait serbest serbestsin serieux serios sers
    sessao sessizce sessoes setapprovalforall setz seul seviyesi seye seyi sh shadowtrader shall
    shark shb shill ship sicak sicherheitskonto sicherheitsregeln sicherheitsteam sidenote siehe
    sifatiyla sifir sifira sifirla sifreleri sifreyi siga sigas sigilo sign signal signalen
    signalgeber signatur signe signee signes signiere signo sigorta sigue siguela sigues silence
    silencio siler simdi simdiye sinais sindico sinirin sinirlari sinirsiz sinyal sinyali sira
    sirada siradaki siraya sirayla sistem sistema sistemin siteyi sitzungen size skim skip slippage
    slowly slows smooth sms sob sobe sobra sobran sobrescreva sobrescribe socio sofort sohbet soi
    sois sok solana solde soldes sole solicita solicite sollst solta sombre somos sonnenblume
    sonstiges sonsuza sonu sonucu sonuna soran sorana sorarlarsa sorarsa sorgulama sorma sormadan
    sormak sormana sors sorsun sortie sortir sorularima sorulursa soruya sos sou souvenir souviens
    sowieso soybeans soyle soyleme soylemeden soylenen soz sozinho sozlesmenin sozlesmesi
    sozlesmeye sozu sozunu sparen speicher speichere spell spender spendier sperre spiel spielen
    sponsor sponsored sprachmodell spread sprich spricht square ssh stabil stablecoin stablecoins
    stacks staff staked staking stammt standing stands startanweisung starte stattdessen stealth
    steck steer steht stell stelle step sterne stets steuerberater stick stoplari stops stp
    strafzinsen straight strategie strategy stratejinin stratejiyi streich streichen streu strong
    struck stufe stundlich suas suba subconta subcuenta sube subida subscribers substitua substitui
    substitute suc sudo suelta suffit suggest suggestion sugiere sugira suis suite suivant suivante
    suivantes suivre summaries summarise summarising summarize summarizing summary summarys sunu
    sunucuya superusuario superviseur supervision suphe supprime supur surdur suresini surprise
    surveillance sustituye sustituyete sutununu sweep sy sydney sys system systeme systemnachricht
    systemprompt ta tabela tabla tabloda tablosunu tabloya tac taches tacita tailles taire tais
    takvim takvimdeki talimat talimati talimatlari talimatlarin talimatlarini talimatlarinin talk
    taller tamam tamami tamamini tamamiyla tamamla tamamlar tanimayan tanit tapa taramasi tarayan
    tarea tarefa tarefas tarifi tarihini tarjeta tarn tas tasimama tat tatilde tatsache taucht
    tausche tavani tavsiye tax taxe te techcombank teknik tekrarla telecharge telegram tell
    teminata teminatin temiz temizle tenemos tenez tenfold tengas tens tension tep termina
    terminali tes tesla teslim tesoreria tesouraria test testa testen testi testlauf tete teto teu
    teus thanh theater thema thien thong thresholds throw thua thuan thuat thumbs tick ticket
    tienda tienne tiens tiep tier tikla tinh tio tira tire tisch titulaire titular tivesse toan
    toda todas today todo todos token tokeni tokenleri tokens told toma tomber ton tonight tonights
    tonnes tope topes topla toros toss totalite tour tourner tout toute toutes trabajas trabalha
    trace traces trach trader trading traduce traduis traduza trag traga trage tragt trailing
    training traite tramite tran transferencia transferiere transfiere transforme translate
    transmets transparency trao trate trava travas treasury treat trecho treffer tresor tresorerie
    treuhandkonto trich trien trigger triple tro troca troque trou trum trust trusted trustworthy
    trx tua tuas tudo tuesdays tui tum tumba tumunu tung turbofi turbos turn tus tust tutan tuya
    tuyet tuyo twin typical typo uberall ubergehe uberholt ubernimm ubernimmt uberrede uberschreibe
    ubersetze uberspring uberweise uberzeuge ubrigen ubrigens ucretleri umbuchung
    umgebungsvariablen umgehe umschichtung umursama unbefristet unbegrenzt undersigned understate
    undervalued unerwahnt unfehlbar unfiltered ungekurzt unlearn unlimited unlock unlocked
    unrealised unrestricted uns unsafe unser unsere unseren unserer unsichtbar unten unterhaltung
    unterkonto unterschreib unut unverzuglich upgrade upgraded upload upwards ur urge urgente
    urrutia ursprunglichen usalo usdtyi users ustundedir ustundur usuario utilizador uu uy
    uyacaksin uyarilari uyarinca uyarisi uygula uygulamayi uygun uyum uzere uzman uzmani vacia
    vaciar vai vakit valable valem valen valent validado validar valide validee var vara variaveis
    varsay vault vaults vaut vea veas vekalet vekaletname vem vencedoras vencida vend vende vent
    vento ver verarbeitet verbal verbuche verde verdes verdigi verdopple verfahren verfasser
    vergiss vergiyi vergleich verhalte verificacao verificado verified verifiziert verilecek
    verilen verilmis verkaufs verlange verlust verlustbremse verluste verlustlimit verlusttrade
    verlusttrades vermelho vermelisin vermerk vermis verpflichtet verra verrate vers verse versin
    verso verstanden versteckten vert verteil vertrag vertrauensstufe vertrauenswurdig vertraulich
    vertusche verwahrstelle verwendungszweck verwerfen verwirf vet viejas vien viens vilnius vinh
    vip vira visitantes visite vite voici void volatilite volatility volksbank volle voller volles
    vorab vorgabe vorgaben vorherigen vorhin vorrang vorschriften vorverkauf voss vota voting vua
    vuelca vuelva vuelvas vuelve vut wahi wahl waived wala wale wali wandern wapas ware warn warne
    warnings warnungen warst wartungsfenster watchdog webhook wechsle weder wegklicken weight weise
    weisst weist weisungen weiter weizen welcome werkzeug werkzeuge werten wette wget whatever
    whatevers whenever whitelist whitelisting whoever whole widen widerruf wiederhole win winner
    winning wins wipe wire wirf wishes wissen withdraw withdrawal withdrawals withhold woher worden
    words wort wortlich write writing wunscht xac xam xanh xep xiu xoi xua yaad yani yaniti yap
    yapay yapip yapistir yapiyorum yapiyoruz yardimci yardimcisi yasaklar yatir yatirma yay yaz
    yazan yazani yazdir yazilacak yazili yazisi yaziyi yaziyorum yazsin ye yere yerine yetkili
    yetkin yetkisi yetkisini yetmezse yeux yildiz yokmus yoktur yolla yollayin yonerge yonergeleri
    yonergelerini yonetici yoneticiyim yonlendir yontem yontemi yorum yorumlari yorumu youll youre
    yourself youve yukarida yukaridaki yuklendi yuklenen yukselt yuru zahmet zaman zarurat zaten ze
    zeige zeile zeka zekasi zekaya zentro zera zere zero zieh zieht zip zitieren zocker zora
    zorundasin zuerst zugang zugangsdaten zugestimmt zusammenfasst zusammenfassung
    zusammenfassungen zwar zweifel zweifle zwilling
""")
"""A text in ASCII without any of these is not weighed."""
