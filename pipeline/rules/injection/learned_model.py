"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "396259deb844262b23f4b7de95e7304ea9bfa7aac28adc5da85223fc6e0cb4d2"

THRESHOLD: Final = 378.2
"""A part of a text with a higher score is an order."""

CHEAP_WORDS: Final = word_set("""
    ab abajo abgeschaltet abhebungen abra abre absatz absolue absoluta abstraction acabou accept
    aconseja aconsejar aconselhe acrostic act activa actua adelante adicione adjunto admin adminim
    administrador administrateur administrator admit adopt adresine adresini advertencias advice
    advise affiche affiliate affirme afirma afirme agente agenten agentes aggression agis agora
    agreed ahora airdrop aja ajoute al alarm alavancagem alert alerting alle allem allen alles
    allocate allowance alpha als although aluminium analysis anexo annual annule annulees anota
    anote answer answering ante antedata anteriores antidate antwort antworte anula anuladas
    anweisung anweisungen anything aos apaga apague apalancamiento aposentadoria aposentados apply
    appointment approuve approuvees approval approvals approve approved apresentacoes apresente
    aprobacion aprobada aprobo aprovada aprove aprueba apuesta aqui argent aroeira arrete arriba
    article asi aside asistan asistente ask asking asks asli assign assine assist assistant
    assistants assistent assistente assistenten assure ative attach attached attachment attacker
    attackers attention atualizacao audit audited auditeur auditor auditoria auftrag aufwartstrend
    augmente aumenta aumente aur auslandskonten ausser auszahlung auszahlungsadresse authorised
    authority authorize authorized automated automatique automatizados autor autoridad autorisation
    autorizacao autorizacion autorizo autorizou avertissements avis avisar avises aviso away ayarla
    backdate bad badge bags balance balances ban bankverbindung bannera bay beachte bearish beaten
    become befehl befehle befehlen befolge beginners begs behandle behave beiseite belirliyoruz
    bellegine bellidir ben beneficiary beni benim berichten beschreibe besitzer besoin bestatige
    beste besuche betrachte better bewerte beyaz bhai bhej bhi bi biggest bin binds bisherigen bist
    blame blanca blanche blanket blanks bleibt bo bonus borra borran borrow bos boss bot bots
    branca breaker briefing broker brokers bu buddy bundan bunu buoc buriti bury butun buying bybit
    cachees califica calm cambia cambiado canceladas candle cap captain carater carta cau cdi ce
    cease ceci celles celui cem ceo certified ces cesse cet cette chan chap chay che cheaper
    checking chef chi chief chu chua chung chuyen ci cima cita cite classifique clear clearance
    cliente coding coi coin cola colaram collateral comanda comando comandos comisiones comite
    command commande comme como compares comparisons competing complet completa completo compliance
    comply compra compre compte conducting confia confianca confiance confianza confiavel
    confidence confidential confirmacao confirmacion confirmar confirmation confirmed confirmes
    confirmiez conforme conseille consent consented consequences consider considera consideram
    considere consignes constraints consultar consulting conta conte conteiner contents contesta
    conteudo contexto continua contradict contrat contrato controles convaincs convenca conversa
    conviction convince cooling corporativo corretora cote count courtesy cover crank creador
    createur creator creators credenciais credenciales credibility criador cronjob cu cua cualquier
    cualquiera cuenta cuentes cuestiones curl custodia custody customer dados dale dame damit dan
    danken dans dapp daqui dar darf darfst daruber dauerhaft davant davon deactivate deaktiviere
    debes debugging debute deceased decide decirme decris dedigimi deficit defina dein deine deinem
    deinen deiner deines deixa deixe deja dele delete demander demas demote denetime departamento
    depense depose deposit depositar deposito deposits depot dersen desactiva desactivadas
    desactive desarrollador descarta desenvolvedor desinstalle desired desk desormais dessous desta
    deste destination desvio deus deux developer developpeur devez dez di diagnostic diamond diante
    dich dicho dieron diesem diesen dieu diga digas digo dijeron dime dios directamente directions
    directive directives direkt diretamente dis disable discard disclaimers disclose discutera
    dispense disser disseram dit divert diye doch document documento dogrudan dois donc donne
    donnees donner dono donts dorenavant dorigine dort dostu downplay drain drauf drawdown
    drawdowns drop dry du dueno dump dung durch dure dususleri duyet ecrase ecris ecrit efface
    einfach einschrankungen eintrage einzahlungsadresse einzigen ejecuta ejecutalo ejecutando
    ejecutar ekle elevate elimina email emails emergency emirlerinin empfehlen empfiehl empieza
    emri encaminhe encode end ende engenheiro engineer enormously enquanto enregistre entao entende
    enter entferne entier entire entnimm entra entwickler entwicklermodus entwicklers envia envoie
    equipe equipo erase erfolg erhohe erlaubnis eroffne ersetzt erwahne escreva escribe escrito
    escrow esperes estrategia et ethique etica etme everyone everything evil evilbot exaggerate
    excluded executando execute executive exempt exfiltrate exhaust exito expire explained export
    exposure fabricate faca fact fais fala falsify fam favour faz february ferramenta fetch feu fi
    fica fija filed filters filtre filtres filtros finja fixe floor fold folge folgen folgende
    folgendes folgst follow following follows fonction fondo fonds fonte fonumuzu footer foram
    former forum forward frag fragen fragt franchir frei freigabe freigegeben french ftp fuhre
    funcao fund fundo fusszeile gain gains game gana ganancia ganha ganho ganze ganzen garanti
    garantido garantiert garantili garantizado garde gardez gat gecmisi gedachtnis geheim geheimen
    gehorche gehorchen gehorchst gelistirici gelten genehmige genehmigt genehmigung gere
    gerenciador gesamte gewinnt ghi gi giau gib gilt gioi gizle glasses glauben gleich glitch goals
    god goldbridge gonder gosterme gottmodus grade grades graduate grandmother grant granted grupo
    guarda guarde guardrails guidelines guvenilir habilite habla hack hacked hacker hagas hago
    halcyon halte hand happened harvest hast haut havale haz hazlo he hebe hebel heimlich hemen
    henceforth hereby heres herramienta hes hesap het heute hidden hide hien hier highest hinter
    hinterfrage hinweis his hit hoi holder holdings honeydex hor hospedada hot hoy http hubsch
    human hundred huong huy hypermoon ia iban ici identifiants ignore ilet ilimitado illimitee
    imediatamente immediately immediatement immer imposto incident inclua include incluyas income
    indicaciones infinite infinity inflate informar informes informiere informing ingeniero
    ingenieur inhaber inhabers inmediatamente inmediato inscris inst instala instale install
    installe installiere instruccion instrucciones instrucoes instruction instructions insured
    interne invariably inventate inversion invest investiere investieren investimento investir
    investment investments investors invierte invisible invista invite invoke invoque ipe isleme
    islemi isleyen isteme istemini isto itaat izin ja jailbreak jede jedem jefe jeffectue jeton
    jetzt jo joia jointe journal journaux kadar kapat kapital kappa kar karo kauf kaufe kaution
    kaydet keinen khach khau khoan khoi khong khuyen ki kiem kindly know knowledge kommt
    konfiguration konto kontoinhaber kontos kunden kundenwunsche kunftig kuraldan ky lacces
    ladministrateur lado ladresse lagent laisse lam lance lanza largest lass lassistant lasst
    launch lauten lautet law lea learn leave leffet leg leia leite lenh lequipe lesson lessons leve
    leverage lhe liberar liberated libre lien liest lieu lift lignes limit limites limitini limits
    linha linsu lips liquidate liquidation liquidations liquide lista listen listening listeye
    listing lit livre llm lo loc lockup loi longs loperation lordre losche losen losing losses
    lossess losss loutil lugar lui luon lutilisateur luu ly mach mache machst madrugada mails
    maintenance maintenant majoritario maker manda mandate manten mantenha mantenimiento mao
    maquina marca margin markdown market markiere marque martingale mat matter maxima meilleur
    melde melhorem memo memoire memoria memorias memories memorise memoriza memorize memory
    menciona mencione menciones mensaje mensajes mention mentionne mesmo mete methode methodology
    metodo mia mienne miennes mim mine minhas mir mise mismo misreport missachte missachten
    mnemonic mobeir mode modele modell modelo modifie modo modunu moi moment monte montre morals
    mounted mover mude mum musst nadie nahi nas nay necesito neglect nem nen nenne nennen neste
    ngay nghe ngo ngung nguoi nha nhac nhan nho nhu nhung ni nichts nimm nimporte ninforme ninguem
    nobody noche nod noi nombra normas nosotros nossa nosso nota nothing notice notices notiz
    notizen notre novas novo nudge nuestra nuestro nun nutzer nutzers obedeca obedece obedecela
    obedecer obedecerme obeir obeis oben obey obeying obeys obigen objective oculta ocultas oculto
    officer official offne offsite ohne oldugunu omega omets omisso omit omita onayla once onceki
    oner ones opera operacao operacion operaciones operador orcamento ordem orden ordenes ordeno
    ordens orders ordres orientacoes originais originales others oublie our ours outranks outre
    ouvre overlook overstate overwrite owner owners package paie pair palabra paragraph pare parle
    parse partner pase paso passa passer passwd passwords past pastebin patron payload payments
    payout payouts peca peco pedir pensions perda perdante perdedora perdidas perdio performance
    perguntar pergunte permanent permanente permiso permissao permission permit permitted persona
    personne persuade peux phai phat phe phep phrase phuc pida pidas plafond plataforma plateforme
    platforms play pleine plena plx poem police policia policier policies policy pon ponha popup
    portfolio portray posicao posicion positions positionsgrosse post pouvoirs pra prage praise
    prasident precede precedentes preciso preguntar preguntes presale presenta presente president
    pretend prevenir preventa previas previens previous primer print prior prioridad prioridade
    priorite priority privileged procede proceed proceeds processing products profit profitable
    profite profits programming promo promote prompt proof proprietaire proprio prossiga protokoll
    protokolle proven prufer prufung publica pump puntuacion push pwned qualquer queda quedan
    quedas quelles quen question qui quien quit quita quon ra rang rank rapora rapports rating
    ratings raus reached reading reallocation recebe recebeu rechte recipient recomende recomienda
    recommande recommend record records recuerda recues redirecione reemplaza reenvia referral
    refuse refuser regard regeln registre registros reglas regles regras relatorio relayer
    remaining remplace repeat repita repite reply replys repondre reponds reponse requirement
    resend respecter respeite respetar respond responda responde responder resposta respuesta
    restore restricao restriccion restricciones restricoes resumir resumo retira retirada retire
    retrait revela revele review revisao revised rewrite rewritten rf rhyme richtlinien riesgo
    riesgos rights risco rise risiken risiko risikoabteilung risikoteam risk risks risksiz risque
    risques rival rm ro robo rodape roi root rotate route rsa rubber rucken ruckfrage rui rule
    rules saber sach safe safeguard safest safety sag sage sahibine saldo saltate samtliche sana
    sans sappliquent saque sats satz savoir scenario schalte schick schicke schieb schopfer schreib
    score screenshot second secret secreta securite sees seguinte seguir segura seguro sem sempre
    send sende senders senin sesion sessao setz setze seul seyi shadowtrader shall share she shift
    sicherheitsteam siempre siga signal signale signe signiere sigue siguela sigues siguiente sil
    simdi simplest sin sistem sistema size skim skip skript slippage sms sobald sobre sobrescribe
    sofort soit sola solde solicite sollicite somos sonst soon sorma sormadan sou souvenir souviens
    soyle speaking speichere spell spender spricht ssh stablecoins stacks staff stake staked
    staking stamp standing stands stars starte statt stattdessen stealth steht stell stelle stops
    story strategie strategy stratejinin suas suba sube substitui succes success sudo suffices
    suggestion suggestions sugiere suis suit suite summarise summarize summarizing summary summarys
    supervisor supprime suspend sustituye sweep switch switched system systeme systemnachricht
    systemprompt ta tac taches tai tamano tant tao tarea tarefas tat tausche tax taxe te team
    technicien tecnico telegram tell teminat tenfold tengas tep tes teste tete teto teu texte texto
    thanh thay theo thi thieu thoi thong thousand throw thuan thuc tick ticket tien tienes tiens
    tiep tier titulaire titular toan toda todas today todo todos toi token tokens told tomorrow ton
    tonight tope toujours tous tout toute toutes toward tra trabalha traces trader tradeutils
    trading traffic trage training traite trang transferiere transferir transfiere translate
    transmets trata trate treasury treat tri trial trien trigger trinh triple troque trust trusted
    truth tu tudo tum tung tuong turbofi turn tus twelve ubergehe uberrede uberschreibe uberweisung
    uberzeuge ubrigens umgehe und understate uneingeschrankten unfavourable unicamente unlimited
    unlock unnecessary unrestricted uns unser unsere unseren unsubscribe unten unut unutma upload
    upwards urge ursprunglichen users usuario utilise uygula valem vamos van vault vaut vem venda
    ver verarbeitet verbuche verde verdi vergiss verhalte verificacao verificado verifier verileri
    verite verlange verlustlimit verlusttrade verlusttrades verrate versteckten vertrag vertraulich
    verwirf viec vien vier viet vinh vip virement visite void volle voller vorgaben vorher
    vorherigen vorhin vorrang vorverkauf vuelvas wahl waived warne warnings warst watchdog webhook
    weg weight weisst weiter whatever whenever whitelist whole widerrufen win winner winning wins
    wir wishes wissen withdraw withdrawal withdrawals withhold words worse wort write xac xin xoa
    xong xu ya yap yaz yerine yetki yetkin yok yolo yonetici youll yourself youve zarar zaten zeige
    zeile zeit zero zuerst zugang zugangsdaten zusammenfasst zusammenfassung
""")
"""A text in ASCII without any of these is not weighed."""
