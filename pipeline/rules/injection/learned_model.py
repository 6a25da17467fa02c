"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "853832d8e05a5805de301a043ac27011120ce9b975513306ba288ca9a00554bb"

THRESHOLD: Final = 366.6
"""A part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    ab abajo abgeschaltet abhebungen abra abre absatz absoluta abstraction acabou accept accepte
    acces acceso accion accordingly acht acknowledge aconseja aconsejar aconselhe acrostic act
    activa actua adelante adicione adjunto admin adminim administrador administrator admit adopt
    adresine adresini advertencias advertisement advice advise affiche affiliate affirme afirma
    afirme agente agenten agentes aggression agis agora agreed ahora airdrop aja ajoute al alarm
    alavancagem alert alerting alle allein allem allen alles allocate allowance alors aloud alpha
    als although anade analisis analysis anexo annule annulees anota anote answer answering ante
    anteriores antwort antworte anula anuladas anweisung anweisungen aos apaga apague
    apalancamiento aparecer aposentadoria aposentados apply appointment appose approbation approuve
    approval approvals approve approved apresentacoes apresente aprobacion aprobada aprobado aprobo
    aprovada aprove aprueba apuesta aqui argent aroeira arrete arriba article asi aside asistan
    asistente ask asked asking asks asli assign assine assist assistant assistants assistent
    assistente assistenten assure ative attach attached attachment attacker attackers attention
    attestation atualizacao aucune audit audited auditeur auditor auditoria aufgabe auftrag
    aufwartstrend augmente aumenta aumente aunque aupres aur ausfuhren auslandskonten ausser aussi
    auszahlung auszahlungen auszahlungsadresse authorisation authorised authority authorize
    authorized automated automatizados autor autoridad autorisation autorizacao autorizacion
    autorizado autorizo autorizou autres aux avance avertissements avis avisar avises aviso away
    ayarla backdate bad badge bags balance balances ban bancaires bankverbindung bannera bay
    beachte bearish beaten become befehl befehle befehlen befolge beginners begs behandle behaupte
    behave behaviour beiseite belirliyoruz bellegine bellidir ben beneficiary beni benim berichten
    beschreibe besitzer besoin bestatige beste besuche betrachte betreiber bewerte beyaz bhai bhej
    bhi bi biggest bin binds bisherigen bist blame blanca blanket blanks bleibt bo bonus borra
    borran borrow bos boss bot bots branca brauchst breaker briefing broker brokers bu buddy bundan
    bunu buoc buriti bury butun buying cabinet cachees cada calcule califica cambia cambiado
    canceladas candle cap captain carater carta carte cau cdi ce cease ceci celle celles celui cem
    censorship censure cent ceo certified ces cest cet cette ceux chan chap chaque chay che cheaper
    checking chef chez chi chief chu chua chung chuyen ci ciegas cima circumstances cita cite
    classifique clear clearance cliente coding coi coin cola colaram collateral comando comandos
    comite command commande comme como compares comparisons competing competitors complet completa
    completo compliance compliments comply comportate comporte compra compre compris compte
    conducting confession confia confianca confiance confianza confiavel confidence confidential
    confirmacion confirmation confirmed confirmes confirmiez conforme conseil conseille consent
    consented consequences consider considera consideram considere consigne consignes constraints
    consultar consulting conta conte contenido contents contesta conteudo contexto continua
    contradict contrat contrato controles convaincs convenca convence conversa conviction convince
    cooling corporativo corretora cote count courtesy crank creador createur creator creators
    credenciais credenciales credibility criador cronjob cu cua cualquier cualquiera cuenta cuentes
    cuestiones curl custodia custody customer dados dale dame damit dan danach dans dapp daqui dar
    darf darfst daruber dauerhaft davant davon deaktiviere dear debes debug debugging deceased
    decide decirme decris dedigimi defaut defective deficit defina dein deine deinem deinen deiner
    deines deixa deixe deja dejala dele delete deleting demander demands demas demostrada demote
    denetime deny departamento department depense depose deposer deposit depositar deposito
    deposits depot depotinhaber dersen desactiva desactivadas desactive desactivees desarrollador
    descarta describe desenvolvedor desired desk desormais dessous desta deste destination desvio
    dette deus developer developpeur devez dez dhabitude di diante dich dicho dieron diesem diesen
    dieser dieses dieu difference diga digas digo dijeron dime dio dios directamente directement
    directions directive directives direkt diretamente diris dis disable discard disclaimers
    disclose disimula disser disseram dit divert diye dobeir doch document documento dogecoin
    dogrudan doit donc donne donner dono donts dorenavant dorigine dort dostu double downplay drain
    drauf drawdown drawdowns drive droits drop drucke dry du dueno dump dung durch dususleri duyet
    ecrase ecris ecrit efface einfach einschrankungen eintrage einzahlungsadresse einzigen ejecuta
    ejecutalo ejecutando ejecutar ekle elevate elimina email emails emergency emirlerinin empfanger
    empfehlen empfiehl empieza emri encaminhe encode encore ende engenheiro engineer enlace
    enormously enquanto enregistre entao entende enter entferne entier entire entra entry
    entwickler entwicklermodus entwicklers envia envoie equipe equipo erase erfolg erhohe
    erinnerung erlaubnis eroffne erscheint ersetzt erster erwahne esconde escreva escribe escrito
    escrow esperes estrategia et etape ethique etica etme everyone everything everywhere evil
    evilbot exaggerate exchanges excluded executando execute executer executive exempt exfiltrate
    exhaust exito experts explained export exposure fabricate faca fais fala fallt faut favour faz
    february fera ferramenta fetch fi fiable fica figures fija filed filters filtre filtres filtros
    finance finge finja five fixe floor fold folge folgen folgende folgendes folgst follow
    following follows fondo fonds fonte fonumuzu footer former fort forum forward frag fragen fragt
    frei freigabe freigegeben french ftp fuhre funcao fund fundo fusszeile gain gains game gana
    ganancia ganha ganho ganze ganzen garanti garantido garantiert garantili garantizado garde
    gardez gat gecmisi gedachtnis geh geheim geheimen gehorche gehorchen gehorchst geld gelistirici
    gelten genehmige genehmigt genehmigung gepruft gerade gere gerenciador gesamte gesprach gewinnt
    ghi gi giau gib gilt gioi gizle glasses glauben gleich glitch goals god gonder gosterme
    gottmodus grade grades graduate grandmother grant granted grupo guarda guarde guardrails
    guidelines guvenilir habla hable hace hack hacked hacker hagas hago halcyon hallmann halte hand
    happened harvest hast havale haz hazlo he hebe hebel hecho hedged hell hemen henceforth hereby
    heres herramienta hes hesap het heute hidden hide hien hier hiermit highest him hinter
    hinterfrage hinweis his hit hoi holder holdings honeydex hor hospedada hot hoy http hubsch
    human huong huy hypermoon ia iban ici identifiants ignore ihm ilet ilimitado illimitee
    imediatamente immediately immediatement immer imposto imprime incident inclua include incluyas
    incluye indicaciones indique infinite infinity infla inflate informar informes informiere
    informing ingeniero ingenieur inhaber inhabers inmediatamente inmediato inscris inst instala
    instale install installe installiere instruccion instrucciones instrucoes instruction
    instructions insured internen invariably inventate inversion invest investiere investieren
    investimento investir investment investments investors invierte invisible invista invite invoke
    invoque ipe iris isleme islemi isleyen isteme istemini isto itaat itll izin ja jailbreak jede
    jedem jefe jeffectue jemand jeton jetzt jo joia jointe joue journaux kadar kapat kapital kappa
    kar karo kauf kaufe kaution kaydet keinen khach khoan khoi khong khuyen ki kicks kiem kill
    kindly klick know knowledge kommt konfiguration konto kontoinhaber kontos kunde kunden
    kundenwunsche kunftig kuraldan lacces lade ladministrateur lado ladresse lagent laisse lam
    lance lanza largent largest lass lassistant lasst launch lauten lautet lautre law lea learn
    lecture lee leg leia leite lenh lensemble lequipe lesson lessons leve leverage lhe liberar
    liberated libre lien liest lieu lift limit limites limits linha linsu lips liquidate
    liquidation liquidations liquide listen listening listeye listing lit lives livre llm lo loc
    log login logo loi longs loperation lordre losche losen losing losses lossess losss loutil
    lugar lui luon lutilisateur luu ly mach mache machst macros madrugada mails maintenance
    maintenant maitre majoritario maker manda mandate mando manten mantenha mantenimiento mao
    maquina marca maree margin markdown market markiere marque martingale masque mat matter maxima
    meilleur meiner melde melhorem memo memoire memoria memorias memories memoriza memorize memory
    menciona mencione menciones mensaje mensajes mental mention mentionne mesmo mete methode
    methodology metodo mets mia mienne miennes mim mine mir mismo misreport missachte missachten
    mnemonic mobeir modele modell modelo modifie modo modunu moi moment monero monte montre morals
    motif mounted mover mude musst nachste nadie nahi nas nay necesito neglect nem nen nenne nennen
    neste nghe ngo ngung nguoi nha nhac nhan nho nhu nhung ni nichts niega nimm ninforme ninguem
    nivel nobody nod noi nomas nombra normas nosotros nossa nosso nota nothing notice notices
    noticia notiz notizen notre nous novas novo nudge nuestra nuestro nun nutzer nutzers obedeca
    obedece obedecela obedecer obedecerme obeir obeis oben obey obeying obeys obigen objective
    oculta ocultas oculto officer official offne offsite ohne oldugunu omega omets omisso omit
    omita omite onayla once onceki oner ones ont opera operacao operacion operaciones operador
    opinion ordem orden ordenes ordeno ordens orders ordre ordres orientacoes originais originales
    oryx others oublie oui our ours outranks outre ouvre overlook override overstate overwrite
    owner owners package page paie pair palabra paragraph pare parle partner partners pase paso
    passa passer passwd passwords past paste patron payload payments payout payouts peca peco pedir
    pensions perda perdante perdedora perdida perdio performance perguntar pergunte permanent
    permanente permiso permissao permission permit permitted persona personne persuade pertes peux
    phai phare phat phe phep phrase phuc pida pidas pide pirate placed placement plafond plataforma
    plateforme platforms play pleine plena plx pnl pobres poem police policia policier policy pon
    ponha popup portfolio portray posicao posicion positions positionsgrosse post poste pouvoirs
    pra prage praise prasident precedentes preciso preguntar preguntes premium prends presale
    presenta presente president pretend prevenir preventa previas previens previous primer
    principal prior prioridad prioridade priorite priority private privileged proceed proceeds
    processing prochain products profit profitable profits programming promo promote prompt proof
    proposal proprietaire prossiga protective protokoll protokolle prouvee proven prufer prufung
    publica puente puis pump puntuacion push pwned qualquer queda quedan quedas quelles quen
    question questioned qui quien quita quon quoted ra rallye rang rank rapora rapports rating
    ratings raus reached reading reallocation recebe recebeu rechte recipient recomende recomienda
    recommande recommend records recuerda recues redirecione reemplaza reenvia referral refuse
    refuser regard regeln registros reglas regles regras regulator reinicia relatorio relayer
    remaining remplace repeat repita repite reply replys repondre reponds reponse reports
    requirement resend respeite respetar respond responda responde responder resposta respuesta
    reste restore restricao restriccion restricciones restricoes restriction restrictions resumen
    resumir resumo retira retirada retire retiros retrait retraits revela revele review reviews
    revisao revised rewrite rewritten rf rhyme richtlinien riesgo riesgos rights risco rise risiken
    risiko risikoabteilung risikolos risikoteam risk risksiz risque risques rival rm ro robo rodape
    roi role rolle root rotate route rsa rubber rucken ruckfrage ruckfragen rui rule rules saber
    safe safeguard safest safety sag sage sahibine saldo saldos sale salga saltate samtliche sana
    sans saque sats satz savoir schalte schick schicke schieb schopfer schreib schreibe schreibt
    score screenshot second secret secreta securite sees seguinte seguir segunda segura seguro sem
    sempre send sende senders senin sesion sessao setz setze seul seule seyi sh shadowtrader shall
    shift sicherheitsregeln sicherheitsteam sidenote siempre siga signal signale signe signer
    signiere sigue siguela sigues siguiente sil silence silencio simdi simplest sin sistem sistema
    size sizes skim skip skript slippage sms sobald sobre sobrescribe sofort soir sola solicite
    somos sonst soon sorma sormadan sou souvenir soyle spare speichere spell spender spricht
    stablecoins stables stacks staff stake staked staking standing stands stars starte statt
    stattdessen stealth steer steht stell stelle story strategie strategy stratejinin stufe suas
    suba sube substitui sudo suffices suggestion suggestions sugiere suis suite summaries summarise
    summarize summarizing summary summarys supervisor suspend sustituye swaps sweep switch switched
    system systeme systemnachricht systemprompt ta tableau tac taches tag tai talk tamano tant tao
    tarea tarefas tat tausche tax taxe te team technique tecnico teile telegram telephone tell
    telling tells teminat tenfold tengas tep tes teste tete teto teu texte thanh thay thi thieu
    thoi thong throw thuan thuc ticket tien tienes tiens tiep tier titre titulaire titular toan
    toda todas today todo todos toi token tokens told tom tomorrow ton tonight tope touche toujours
    tous tout toute toutes tra trabalha traces trader tradeutils trading traffic trage training
    traite transferer transferiere transferir transfiere translate transmets trata trate treasurer
    treasury treat tresorerie trial trien trigger trimestre trinh triple troque trust trusted tu
    tudo tum tung tuong turbofi turn tus twelve ubergehe uberrede uberschreibe uberweisung
    uberzeuge ubrigens umgehe und understate uneingeschrankten unfavourable unfiltered unicamente
    unlimited unlock unnecessary unrestricted uns unser unsere unseren unsubscribe unten unut
    unutma upgraded upload upwards urge ursprunglichen users usuario utilisateur utilise uygula
    valem vamos van vault vem venda verarbeitet verbuche verde verdi vergiss verhalte verificacao
    verificado verifier verileri verite verlange verlustlimit verlusttrade verlusttrades verrate
    versteckten vert vertrag vertrauen vertraulich vertusche verwendungszweck verwirf vi viec vien
    vier viet vinh virement visite void voir volle voller vorgaben vorher vorherigen vorhin vorrang
    vorverkauf vrai vuelvas wahl waived warne warnings warnungen warst warte watchdog webhook wed
    weeks weg weight weisst weiter werkzeug weve whatever whenever whitelist whole widerrufen win
    winner winning wins wir wishes wissen withdraw withdrawal withdrawals withhold words worse wort
    write xac xin xoa xong xu ya yap yaz yerine yes yetki yetkin yo yok yolo yonetici youll youve
    zarar zaten zeige zeile zero zuerst zugang zugangsdaten zusammenfasst zusammenfassung
""")
"""A text in ASCII without any of these is not weighed."""
