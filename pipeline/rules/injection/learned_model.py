"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "36cfab61a3296dbd8e4624a31e264150e6001ab7dbd97b9e63e9e66252b2db18"

THRESHOLD: Final = 415.6
"""A part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    ab abajo abgeschaltet abhebungen abra abre absatz absoluta abstraction aca acabou accept
    accepte acces acceso accion accordingly acepta acerque achete acht acil acknowledge aconseja
    aconsejar aconselhe acrostic act activa actua adelante adicione adjunta adjunto admin adminim
    administrador administrateur administrator admit adopt adresine adresini adresinizi
    advertencias advertisement advise affiche affiliate affirme afirma afirme agente agenten
    agentes agis agora agreed ahora airdrop aja ajoute al alarm alavancagem alert alerte alerting
    alle allein allem allen alles allocate allowance alors aloud alpha als altere although anade
    analisis analyse analysis anexo anhang annule annulees anota anote answer answering ante
    antedata anteriores antivirus antwort antworte antwortest anula anuladas anule anweisung
    anweisungen anwender anything aos ap apaga apague apalancamiento aparece aparecer appelle apply
    appointment appose approbation approuve approval approvals approve approved apresentacoes
    aprobacion aprobada aprobado aprobo aprovada aprove aprueba apuesta apunte aqui arbeite
    arbeitest argent arrete arriba arrived arrives article asegura asi aside asistan asistente ask
    asked asking asks assign assine assist assistant assistants assistent assistente assistenten
    assunto assure ative attach attached attacker attackers attention atualizacao aucune audit
    audited auditeur auditor auditoria aufgabe aufgehoben auftrag augmente aumenta aumente aunque
    aupres aur aus ausfuhren auslandskonten ausser aussi auszahlung auszahlungen auszahlungsadresse
    authorisation authorised authority authorize authorized automated automaticos autoridad
    autorisation autoriza autorizacao autorizacion autorizado autorize autorizo autorizou autres
    aux avance average avertissements avis avisar avises aviso avisos away ayarla backdate bad
    badge bafin bags baixe balance balances ban bancaires bankverbindung bannera bay beachte
    bearish beat beaten become befehl befehle befehlen befolge beginners begs behandle behaupte
    behave behaviour beiseite bekleme bekommen belirliyoruz bellegine bellidir ben beneficiaire
    beneficiary benim berichten beschreibe besitzer besoin bestande bestatige bestatigt beste
    besuche betrachte betreiber better between bewegen bewerte bewiesen beyaz bhai bhi bi biet
    biggest bin binds bisherigen bist blame blanca blanche blanket blanks bleibt bo boite bonus
    borra borran borrow boss bot bots brakes branca brauche brauchst breaker breakeven briefing
    broker brokers bu buddy bundan bunu buoc buriti bury butun buying buyutun cabinet cachees
    califica cambia cambiado campaign canceladas candle canh cap captain carater carnet carta carte
    cau caution cdi ce cease ceci cedeme celle celles celui censure cento ceo cero certified ces
    cest cet cette ceux chame chan chap chaque chay che cheaper checking chef chefe chez chi chief
    cho chu chua chung chuyen ci cima cinquenta cita cite classe classifique clear clearance clerk
    cliente coding coi coin cola colaram collateral comando comandos comentario comissao comite
    command commande comme como compares comparte competing competitors complet completa completo
    compliance compliments comply comportate comporte compra compre compris comprovada compte
    concentration conducting confia confianca confiance confianza confidence confidential
    confirmacao confirmation confirmed confirmes confirmiez conforme connecte conseille consent
    consented consequences considera considere consigne consignes constraints consultar consulting
    conta contacting conte contenha contenido contents contesta contestar conteudo contexto
    continua contradict contrat contrato controles convaincs convenca convence conversa conversas
    conviction convince cooling corporativo corretora cosa cote count courtesy crank creador
    createur creator creators credenciais credenciales credentials credibility criador cripto
    cronjob cu cua cualquier cualquiera cuenta cuentes cuestiones cumplir curl curve custodia
    custody customer daalna dacces daccord dachat dale dame damit dan danh dans dao dapp daqui dar
    darf darfst daruber dauerhaft davant davon deaktiviere dear debes deceased decide decirme
    decris dedigimi defective deficit dein deine deinem deinen deiner deines deixa deja dele delete
    demander demandes demands demas demostrada demote denetime deny departamento department depense
    depose deposer deposit depositar deposito deposits depot depotinhaber dersen desactiva
    desactivadas desactive desactivees desarrollador descarta desconsidere desenvolvedor desired
    desk desobedece desormais dessous desta deste destination destino desvio dette deus devant
    developer developpeur devolva dez dhabitude di diagnosis diante dich dicho dieron diesem diesen
    dieser dieses dieu difference diga digas digo dijeron dime dio dios directamente directement
    directions directive directives director direkt diretamente diris dis disable discard
    disclaimers disclose discussion disimula disser disseram dit diversificar divert diye diz
    dobeir dobra dobro doch documento dogecoin dogrudan doit dokument donc dong donne donner dono
    dorenavant dorigine dort dostu double downplay drain drauf drawdown drawdowns drive droits drop
    drucke du dueno dump dung durch dususleri duyet ecrase ecris ecrit ecrite edilecektir efface
    eigentumer einfach einschrankungen eintrag eintrage einzahlungsadresse einzigen einzuzahlen
    ejecuta ejecutalo ejecutando ejecutar ekle elevate eleve elimina email emergency emir
    emirlerinin empfehlen empfiehl empieza emri encaminhe encerramento encode encore end ende
    engenheiro engineer enlace enleve enormously enquanto enregistre enter entferne entier entire
    entra entrega entwickler entwicklermodus entwicklers envia environment envoie equipe equipo
    erase erfolg erhohe erinnerung erlaubnis erledige eroffne erscheint ersetzt erster erwahne
    esconde escreva escribe escrito escrow esperes estrategia et etape ethique etica etkinlestir
    etme euros evaluate everyone everything everywhere evil evilbot exaggerate exchanges executando
    execute executer executive exempt exfiltrate exhaust exito experts expire explained exporting
    exposure eyes fabricate faca fais fala fallt favour favourite faz february fera ferramenta
    fetch fi fiable fica fifty figures fija filan filed filters filtre filtres filtros finance
    finge finja firewall firma fixe floor fold folge folgen folgende folgendes folgst follow
    following follows fondo fonds fonte fonumuzu footer footnote former fort forum forward frag
    fragen fragt frei freigabe freigegeben french ftp fuhr fuhre funcao fund fundo fusszeile gain
    gains game gana ganancia ganha ganho ganze ganzen garanti garantido garantiert garantili
    garantizado garde gardez gat gecmisi gedachtnis gegeben geh geheim geheimen gehorche gehorchen
    gehorchst gelistirici gelten genannt genehmige genehmigt genehmigung gepruft gerade gerek
    gerenciador gesamte gespeicherten gesprach gewinn gewinnt ghi gi giau gib gibi gilt gioi gium
    gizle glasses glauben gleich glitch goals god goldinu gonder gosterme gottmodus grade grades
    graduate grandmother grant granted ground grupo guaranteed guarda guardadas guarde guardrails
    guidelines guvenilir habilita habla hable hace hack hacked hacker hagas hago halcyon hallmann
    halte ham hand handelt hanh happened harvest hast hasta haz hazlo he hebe hebel hecho hedged
    hell hemen henceforth hereby heres herramienta hes hesap het heute hidden hide hien hier
    hiermit hieu highest him hinh hint hinter hinterfrage hinweis his hit ho hoi holder holdings
    honeydex hong hor hospedada hot hoy human hunted huong huy hypermoon ia iban ici identifiants
    ignore ihm ihn ilet ilimitado illimitee imediatamente immediately immediatement immer imposto
    imprime incident inclua include incluyas incluye indicaciones infinite infinity inflate
    informar informes informiere informing ingeniero ingenieur inhaber inhabers inhalt
    inmediatamente inmediato inscris inst instala install installe installer installiere instrucao
    instruccion instrucciones instrucoes instruction instructions insured interna internas interne
    internen interprete invariably inversion invest investiere investieren investimento investir
    investment investments investors invierte invisible invista invitation invite invoke invoque
    ipe iris isleme isleyen isteme istemini isto itaat izin ja jailbreak jede jedem jefe jeffectue
    jemand jeton jetzt jeu jo joia joint jointe joue journal journaux juste kadar kapat kapital
    kappa kar karo kauf kaufe kaution kaydet ke keinen keiner kennt khach khoan khoi khong khuyen
    ki kicks kiem kill kindly klick know knowledge ko kommt konfiguration konto kontoinhaber kontos
    kosten kunde kunden kundenwunsche kunftig kunftigen kuraldan lacces lachat lade ladministrateur
    lado ladresse lagent laisse lam lance lanza lappel largent largest lass lassistant lasst launch
    lauten lautet lautre law lea learn lecture lee leere leg leia leite lembre lending lenh
    lensemble lequipe lesson lessons leve leverage lhe liberar liberated libere libre lien liest
    lieu lift lifted limit limites limits lines linha linsu lips liquida liquidate liquidation
    liquidations liquide lista listen listening listeye listing lit lith lives livre livret liye
    llm loc log logo loi longs loperation lordre losch losche losen losing losses lossess losss
    loutil loyalty lugar lui lumo luoc luon lutilisateur luu ly mach mache machst macros madrugada
    mailbox mails maintenance maintenant maitre maker manda mandar mandate mando manten mantenha
    mantenimiento mao maquina marca maree margin markdown markiere marque martingale masque matter
    matters maxima meant meilleur meiner melde meme memo memoire memoria memorias memories memorise
    memoriza memorize memory menciona mencione menciones mensaje menschen mention mentioned
    mentionne mentions merke mesmo mete meteo methode methodology metodo mets mia mienne miennes
    mil mim mine mintdock minus mir mismo misreport missachte missachten mitteilung mnemonic mo
    mobeir mode modele modell modelo modifie modo modunu moi monero monte montre morals motivo
    motus mounted mover mude musst musteriye nachfrage nachste nadie nahi namen nas nay necesito
    neglect nem nen nenne nennen neste nghe ngo ngung nguoi nguyen nha nhac nhan nho nhu nhung ni
    nichts niega nimm ninforme ninguem nivel nobody nod noi nomas nombra normas nosotros nossa
    nosso nota nothing notice notices noticia notig notiz notizen notre nous nudge nuestra nuestro
    nuevas nulle numa nun nutzer nutzers obedeca obedece obedecela obedecer obedecerme obedeces
    obeir obeis oben obey obeying obeys obigen objective observation oculta ocultas oculto officer
    official offne offsite ohne oldugunu omega omets omisso omit omita omite onayla onceki oner
    ones ont opera operacao operacion operaciones operador opinion ordem orden ordena ordenes
    ordeno ordens orders ordres orientacoes originais originales orval oryx os others oublie oui
    our ours outranks outre ouvre overlook overpayment overstate overwrite owner owners package
    page pague paie pair palabra paragraph pare parle partner partners partout pase paso passa
    passer passwd passwords past pasta paste pastebin patron payload payments payout payouts peca
    peco pede pedir pehle pensions perda perdante perdedora perdida perdio performance perguntar
    pergunte permanent permanente permiso permisos permissao permission permit permitted persona
    personne persuade peux phai phap phare phe phep phien phrase phuc pida pidas pide pirate pix
    placed placement plafond planilha plata plataforma plateforme platforms play pleine plena plx
    poem police policia policier pon ponha pont pop popup portfolio portray posicao posicion
    positions positionsgrosse post poste pouvoirs pra prage praise prasident precede precedentes
    preciso preguntan preguntar preguntas preguntes premium prend prends presale presenta presente
    president pretend prevenir preventa previas previens preview primer prints prioridad prioridade
    priorite priority private privileged pro proceed proceeds procese processing prochain prochaine
    products profit profitable profits programming promo promote prompt proof proposal proprietaire
    prossiga protective protokoll protokolle prouvee proven prozent prufer prufung publica puente
    puis pump puntuacion push pwned qualquer queda quedan quedas quede quelles question questioned
    qui quien quietly quita quon quoted quyen ra rallye rang rank rapora rapports rating raus
    reached reading reallocation recebe recebeu rechte recipient recite recomende recomienda
    recommande recommend recopie record records recuerda recues redirecione reemplaza reenvia
    referral refuse refuser regard regeln registre registros reglas regles regras reinicia
    relatorio remessa remetente remplace rentabilidad reparte repeat repeats repita repite reply
    repondre reponds reponse reports repositorio resend respeite respetar respond responda responde
    responder resposta respuesta reste restore restricao restriccion restricciones restricoes
    resumen resumir resumo retiens retira retirada retire retiros retour retrait retraits revela
    revele review reviews revisao revised rewrite rewritten rf rhyme richtlinien riesgo riesgos
    rights risco rise risiken risiko risikoabteilung risikolos risikoteam risk risks risksiz risque
    risques rival rm ro robo rodape rode rogue roi role rolle root rotate route rsa rubber rucken
    ruckfrage ruckfragen ruf rui rule rules saber saca safe safest safety sag sage sagt sahibine
    saldo saldos sale salga saltate samtliche sana sang sans saque sats satz savoir schalte schick
    schicke schieb schopfer schreib schreibe schreibt score second secret secreta securite sees
    seguinte seguir segura seguro seine seinem seite sem sempre send sende senin sentence sesion
    setapprovalforall settlement setz setze seul seule seyi sh shadowtrader shall shift
    sicherheitsregeln sicherheitsteam sidenote siempre siga sign signal signale signe signer
    signiere sigue siguela sigues siguiente sil silence silencio simdi simplest sin sistem sistema
    size sizes skim skip skript slippage sms sobald sobre sobrescribe socio socios sofort soir sola
    solde solicite somebody somos sonst soon sorma sormadan soru sorulursa sos sou souvenir soyle
    speichere spell spender spricht ssh stablecoins stables stacks staff stake staked staking
    standing stands stars starte statt stattdessen stealth steer steht stell stelle stops story
    strategie strategy stratejinin strong stufe suas suba sube substitui sudo suggestion
    suggestions sugiere suis suit suite suivre summaries summarise summarize summarizing summary
    summarys supervisor supprime suspend suspicion sustituye swaps sweep switched system systeme
    systemnachricht systemprompt ta tableau tac taches tai taille tamano tant tarea tarefa tarefas
    tat tausche tax taxe te team technique tecnico teile tek telegram telephone tell telling
    teminat temps tenfold tengas tep tes tete teto teu texte texto thanh thay thema theres thi
    thieu thoi thong throw thuan thuc ticket tien tienes tiens tiep tier tira titre titulaire
    titular toan toda todas today todo todos toi token tokens told tomorrow ton tonight tope touche
    toujours tous tout toute toutes tra trabalha traces trader tradeutils trading traffic trag
    trage training traite trang transferer transferiere transferir transfiere transforme translate
    transmets trata trate treasurer treasury treat tresorerie trial trien trigger trimestre trinh
    triple trong troque trust trusted trustworthy tu tudo tum tung tuong turbofi turn tus twelve
    ubergehe uberrede uberschreibe uberweise uberweisung uberweisungen uberzeuge ubrigens umgehe
    und understate undo unfavourable unicamente unlimited unlock unrestricted uns unser unsere
    unseren unsubscribe unten unut unutma upgraded upload upwards urge ursprunglichen users usuario
    utilisateur utilise uygula valem vamos van var vault vaut vem venda vende venta verarbeitet
    verbuche verde verdi vergiss verhalte verificacao verificado verifier verileri verite verkauf
    verlange verlustlimit verlusttrade verlusttrades verrate verse versteckten vert vertrag
    vertraulich vertusche verwirf viec vien vier viet vinh vip virement virements visite voici void
    voir volle vollmacht vorgabe vorgaben vorher vorherigen vorhin vorrang vorverkauf vrai vuelvas
    wahl waived wala warne warnings warnungen warst warte watchdog webhook wechsle wed weeks weg
    weight weisst weiter werkzeug whatever whenever whitelist whoever whole wide widen widerrufen
    win winner winning wins wir wishes wissen withdraw withdrawal withdrawals withhold words worse
    wort write xac xin xoa xong xu ya yap yaz ye yerine yetki yetkin yo yonetici youll youre
    yourself youve zahl zarar zaten zeige zeile zentro zero zora zuerst zugang zugangsdaten
    zugestimmt zusammenfasst zusammenfassung zwar zweifle
""")
"""A text in ASCII without any of these is not weighed."""
