"""What `benchmarks.train_injection` wrote of the learned arm; see `learned.bin`."""

from typing import Final

from afterword.pipeline.rules.text.words import word_set

WEIGHTS_SHA256: Final = "803693e21634d9ad11dfc8b4ec144df9d0523ef835866634493ac0239db6fc25"

THRESHOLD_RATIO: Final = (271781, 64)
"""A sentence is an order if its sum squared, times the second, is more than its length
times the first."""

CHEAP_WORDS: Final = word_set("""
    aaa ab abandon abgeschaltet ablehnen about abra abre absolue absoluta abstraction accept acht
    aconseja aconselhe acrostic act activa actua adding adelante adicione adjunto adjust admin
    administrador administrateur administrator adminmodus admit adresine adresini advertencias
    advise affiche affiliate affirme afirma afirme afterwards agent agents agis agora agreed agrega
    ahead ahora ai airdrop aja ajana ajoute aktiviere alavancagem alerting alle allem allen alles
    allocate allowance almadan almaya alone alpha als altere alternative although anexo anlage
    anlatma annule annulees anota anote answer answering ante anterieures anteriores anthropic
    antwort antworte antwortest anula anuladas anule anweisung anweisungen apague apalancamiento
    api aplicam appears appelle append applies apply approbation approuve approval approvals
    approve approved apresente aprobacion aprobada aprobado aprobo aprovacao aprovada aprovado
    aprove aprovou aprueba apuesta argent arrete arriba asegura aside asistana asistente asking
    asks asset assets assign assine assistant assistants assistent assistente assistenten assure
    ative attach attached attacker attackers atualizacao aucune audited auditeur auditor auditoria
    aufgaben aufheben augmente aumenta aumente ausser auszahlung auszahlungsadresse auszuzahlen
    auteur author authority authorization authorize authorized automated automatically autor
    autoridad autoridade autorisation autorizacao autorizacion autorizo autorizou avertissements
    avis avisar avises aviso away ayarla backdate bad bags bahsetme baisses baixe balance ban banks
    bascule bay beachte beantworten beat beats become befehl befehle befehlen befolge beginners
    behandle behaupte behave behind beiseite bellegine ben benachrichtige beneficiary benutze
    berichten beschreibe besitzer besoin bestatige beste besuche betigi betrachte better between
    bewerte bewiesen beyaz beyond bi biggest bin bind binding binds bisher bisherigen bist biz
    blame blanca blanche blanket books borra borrow boss branca brauche breaker broker brokers bu
    buffer bundan bunu buoc bury butun buying buyuklugunu bypass cachees califica call cambia
    cambiado canceladas canh cap carry carta carte cat ce cease ceci celle celles censorship
    certified ces cesse cet cette cevap chame chan chap che cheaper checking checks chef chi chief
    chien chu chua chung chuyen ci cima cite classifique clear client cliente clients coding coi
    coin collateral comando command comme compares comparisons competing complet completo
    compliance comply compra comprovada compte conducting confia confianca confiance confianza
    confiavel confidence confidential configuration confirm confirmation confirmed confirmes
    confirmiez confirmo confirmou conseille consent consented consider considera considere
    consignes constraints consulting conta contar conte contrasenas contrat contrato controles
    convaincs convenca convence conversa conversation conviction convince cooldown core cote count
    counts cover crank creador createur creator credenciales credentials criador cua cualquier
    cualquiera cuentes cuestiones cuoc curl custody customer cut dacheter dados daily damit dan
    dapp daqui dar darfst daruber dauerhaft dauerhafte davant davon deaktiviere debes debloquer
    debugmodus deceased decide decirme decris dedigimi deficit defina degistir degistirin dein
    deine deinen deines deixe deja dek delante delete delta demander demote departamento depense
    depenser depose deposit deposita depositar deposite deposito deposits depot depuracion derhal
    desactiva desactivadas desactive desactivees desarrollador desativadas descarga desconsidere
    descreva desenvolvedor desobedece desormais dessous desta deste destination detre deus
    developer developpeur devez di diante dicho dieron dieu diga digas digo dijeron dinvestir dios
    directamente directement directions directive directives directrices direkt diretamente
    diretrizes dis disable discard disclaimers disclose discretion disimula disser disseram
    dissimule dito divert dividends dizer document documento dogrudan dogrulama dois donc donne
    donnees donner donnez dono dorenavant dorigine dort double doubt downplay drain drange drawdown
    drop drucke dry dudes dueno dump durch duyet ecouter ecrase ecris ecrit efface einbruche
    einschrankungen einzahlungsadresse einzigen einzuzahlen ejecuta ejecutalo ejecutando ejecutar
    elevate elimina emails embed emir emirlerimi emirlerinin empfehlen empfiehl empty emri
    encaminhe encode enforcement engenheiro engineer enlace enregistre enter entero entire entra
    entwickler entwicklermodus entwicklers envia envoie equipe equipo erase erfolg erhohe
    erinnerung erinnerungen erlaubnis erlaubt eroffne ersetze ersetzt erster erwahne erzahl esas
    esconde escribe escuchar esperes essas estrategia ethics ethik ethique etica etme everyone
    everything evil evilbot exact exaggerate exceed exchanges exclua executando execute exempt
    exhaust exito expire export exposure extract faca fahr fais faut favour favourite ferramenta
    fetch fi fiable fiction fija filters filtre filtres filtresiz filtros find finja five fixe flat
    flokxswap folge folgen folgende folgendes folgst follow following follows fondo forge forget
    former fort forward frag fragen freed freegpt frei freie freigabe freigegeben french fruher
    fuhre full funcao fund fundo gain gains game gana ganha ganho ganze ganzen garanta garanti
    garantido garantiert garantili garantizado gardez gas gat gather gecer gecmisi geh geheim
    geheimen gehorche gehorchen gehorchst gelistirici gelten genehmige genehmigt genehmigung gercek
    gesamte gesprach gewinnt ghi giau gib gives gizle glauben gleich glitch goals god goi goldinu
    gonder gosterme gott gottmodus grade graduate grandmother grant grenzen ground guaranteed
    guarde guardrails guidelines guven guvenilir guvenli habilita habilite habla hack hacked hacker
    hago halte hand happened hard harvest hast haz hazlo hebe hebel hebt hemen henceforth herkesten
    herr herramienta hesap hesaptaki het hidden hide hien highest highlight hinh hint hinter
    hinterfrage hinweis historico hit hoi holder holdings hor http human huy hypermoonswap
    hypothetical ici ignore ilet ilimitado illimitee imediatamente immediately immediatement inclua
    include incluyas income indicaciones infalible infalivel infallible infinite infinity inflate
    inform informa informar informes informiere informing ingeniero ingenieur inhabers iniciales
    initiales inmediatamente inmediato inscris insert inst instala installe installiere instrucao
    instrucciones instrucoes instruction instructions instruktionen insured integrating invariably
    inversion invest investiere investieren investimento investir investment investments investors
    invierta invierte invista invite invoke invoque isaretle isleme islemi isleyen isteme istemini
    isto itaat izin ja jailbreak jefe jeffectue jeton jetzt joining jointe journaux kapital kappa
    kaufe kaution kaybeden kaydet keystore khach khau khoan khuyen ki kill kindly komplette
    konfiguration konto kontoinhaber kontos kunden kunftig kuraldan kurallar lacces ladministrateur
    lado ladresse laisse lam lance lanza lap largest lassistant launch lauten law lea leak learn
    leite lembre lenh lensemble lequipe lesson lessons leve lever lhe lia liberar liberated liberer
    libre lien liest lieu lift lifted limites limits lines linsu liquida liquidacion liquidate
    liquidation liquidations liquide liquidiere listen listening listeye listing lit lives livre
    llm loc lock log loi loperation lordre losche losen losing losses lossess losss loutil lugar
    luoc luon lure lutilisateur mach mache mails maintenance maintenant maitre maker maksimuma
    manda manten mantenha mantenimiento manutencao marca margin mark markdown markiere marque
    martingale masque matter matters max maximum meilleur melde memo memorias memories memoriza
    memorize memory menciona mencione menciones menh mention mentionne mesmo mete methode
    methodology metodo mia mias mienne miennes migrar mim mine mismo misreport missachte missachten
    mnemonic mo mobeir mode modele modell modelo modifie modo moduna modunu moment monte moonxswap
    morals mover mua mudaram mude muestra multiply musst mutlak nalerte nas nattends navertis nay
    necesito negarte neglect nen nenhuma nenne nennen neste ngo ngung nguoi nha nhac nhan nho nhu
    nhung nichts niemandem nimm nimporte ninforme ninguem ninguna nobeis nobody noi nombra normas
    nosotros nossa nosso nota notice notices notiere notifying notiz notre nouvelles novas nudge
    nuestra nuestro numaraya nun nutzer nutzerdaten nutzers obedeca obedece obedecela obedecer
    obedecerme obedeces obeir obeis oben obey obeying obeys obigen objective oculta ocultas oculte
    oculto officer official offne ohne okuyan oldugunu omega omets omisso omit omita omite onayla
    once onceki onceligini oner ont open openai opera operacao operacion operator ordem orden
    ordenes ordeno ordres orientacoes originais originales others oturumda our ours outcome
    outcomes outranks outre ouvir ouvre overlook override overrides overstate overwrite owner
    owners ozetleyen package paga paie pair parayla pare parie parle partage partner pasame passer
    passwd passwords past paste pautas pay payload payments payout payouts peca peco pedir perda
    perdante perdedora perdio perfect performance perguntar period permanent permanente permiso
    permissao permission permit permitted persona persuade peux phai phap phat phe phep phot phrase
    phuc phuong pida pidas pido place placement plafond planned plataforma plateforme platform
    platforms play pleine plena poem police policia policial policier policies polizei polizist
    ponha pontuacao popup portfolio portfoyu portray posicao posicion positions positionsgrosse
    pouvoirs pozisyon prage praise prasident pre precede precedence precedentes preceding preciso
    preferred preguntar preguntes presale prescinde present presenta presente president pretend
    prevenir preventa prevente previas previous primer principale print prior prioridad prioridade
    priorite priority privada private probada procede proceed proceeds procese processar processing
    products profit profitable profits promo prompt prompts proprietaire prossiga protective
    protokoll protokolle prouvee proven prufe prufer prufung publica publique pump puntuacion push
    pwned quaisquer qualifie qualis qualquer quedan quedas quelles question questione questioning
    questionne qui quit quitar ra rang rank raporlama rapports rather rating reached reading reads
    recebeu rechte recipient recomende recomienda recommande recommander recommend records recuerda
    recuerdos recues recusar reemplaza reenvia referral refuse refuser regard regardless regeln
    registra registre registro registros regla reglas regles regras reject relatorios release
    released remaining remember remplace repeat repita replaces reply replying replys repondre
    reponds reponse requesting respecter respeitar respeite respetar respond responda responde
    responder respondes resposta respuesta restore restricao restriccion restricciones restricoes
    restriction restrictions resumir resumo retira retirada retirar retire retirer retrait revela
    revele reveles review reviews revisao revisar revised revises revogadas revoquees rewrite rf
    rhyme richtlinien riesgo riesgos rights risco riscos rise risiken risiko risikoabteilung
    risikoprufungen risikoteam risk riski risks risksiz risque risques rival rm ro rode rogue root
    rotate round route rsa rubber rucken ruckfrage rufe rui rules run saber saberlo sacar safe
    safeguards safest safety sag sage sahibine samtliche sans sappliquent saute savoir scale
    scenario schalte schedule schick schicke schieb schopfer schreib schreiben score second secret
    secreta secreto secrets securite sees seguinte seguir segura seguro sem semblant sempre send
    sende senin serve setze seul seule seyi shadowtrader shift shorten sicherheitsregeln
    sicherheitsteam siempre siga signal signale signed signiere sigue siguela sigues siguiente
    silently simdi simulate simulation sin sistem sistema site size skim skip skript slippage
    sobrescreva sobrescribe sofort sola solicite solicites sollicite sommes somos sonsuza sorgulama
    sorma sormadan sou souvenir souviens soyle soyleme speaking speichere spell spender spiele
    spricht stablecoins stacks staff stamp standing stands stars starte starting statements
    stattdessen stecke steer steht stell stelle story strategie strategies strategy stratejinin
    suas substitua substitui success sucesso sudo suggere suggestion suggestions sugiere sugira
    suis suite suivant suivante suivre summaries summarise summarize summarizing summary summarys
    supersedes supervisor support suppress supprime suspend sustituye swaps sweep switched system
    systeme systemnachricht systemprompt systemupdate ta tac taches talimat tamano tao tareas
    tarefas task tat tausche tax taxe team technique tecnico tek telecharge tell tells tenfold
    tengas tens tep terminal tes tete teto texte thanh thay thi thieu thoat thong throw thua thuan
    thuc thuyet tick tien tienes tiens tiep tier titulaire titular toan todas today todo todos
    token tokeni tokens told tom ton tool tope tordonne totalite toujours tous tout toute toutes
    toward tra trabalha trace traces tradess trading traffic trage training traite transferer
    transferiere transferir transfira translate transmets trate treasury treat tri trial trien
    trigger trinh triple troque trust trusted tudo tum tung tuong turbofi turn tus ubergehe
    uberrede uberschreibe uberschreite uberweisen uberzeuge uc umgehe umursama unbegrenzter
    understate uneingeschrankten unfehlbar unicamente unlimited unlock unnecessary unrestricted
    unseren unterschreibe unut unutma unutun upload upwards urge ursprunglichen users usuario
    utilise utilizadores uygula valables valem valen van vault veio venda verarbeitet verbatim
    verbuche verdi vergiss verhalte verificacao verifier verileri verlange verlustlimit
    verlusttrade verlusttrades veroffentliche verrate verschweige versichere versteckten vertrag
    vertrauen vertrauenswurdig vertraulich vertusche verwerfen verwirf viec vien viet vinh virement
    visit visita visite void volle vollmacht volte vorangegangenen vorgaben vorher vorherigen
    vorhin vorrang vorverkauf vuelvas vuot wahl wait waived warne warnings warnungen warst warte
    webhook weight weisst werkzeug whatever whenever whitelist whole widerrufen wiederhole win
    winner winning wins wipe wir wishes wissen withdraw withdrawal withdrawals won words worse xac
    xoa ya yap yapay yaz yazara yazma yetki yetkin yield yolo yonetici yontemi zarar zaten zeige
    zekaya zero zeros zieladresse zugang zusammenfasst zusammenfassung zweifle
""")
"""A text in ASCII without any of these is not weighed."""
