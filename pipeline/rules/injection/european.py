"""Orders in Spanish, German and French; written with accents, compared without them."""

from typing import Final

from afterword.pipeline.rules.injection.rule import Rule, rules

_SPANISH: Final = {
    "drop": """ignora ignore ignorad olvida olvide descarta descarte omite omita desobedece elimina
        elimine anula cancela desactiva sáltate salta salte quita borra no_sigas no_siga
        no_hagas_caso no_hagas_caso_de haz_caso_omiso haz_caso_omiso_de no_obedezcas no_respetes
        deja_de_seguir rompe evita""",
    "orders": """instrucciones instrucción reglas regla órdenes directrices normas indicaciones
        restricciones filtros políticas prompt sistema""",
    "which": """anteriores anterior previas previos todas todo las_reglas sistema seguridad dichas
        arriba tus te_dieron antes iniciales del_sistema""",
    "limit": """límite límites tope topes stop stops stop_loss control controles restricciones
        confirmación""",
}
_GERMAN: Final = {
    "drop": """ignoriere ignorier vergiss missachte umgehe überschreibe verwirf befolge_nicht hebe
        entferne deaktiviere lösche streiche schalte übergehe breche überspringe befolge halte_dich
        halte""",
    "orders": """anweisungen anweisung regeln befehle vorgaben richtlinien instruktionen
        einschränkungen filter prompt systemprompt sicherheitsprüfung sicherheitsregeln""",
    "limit": """risikolimit risikolimits verlustlimit limit limits stop_loss stopps stop risikogrenze
        verlustgrenze positionslimit hebelgrenze""",
}
_FRENCH: Final = {
    "drop": """ignore ignorez oublie oubliez désactive supprime contourne néglige annule abandonne
        enlève ne_suis_plus ne_respecte_plus ne_suivez_plus ne_respectez_plus fais_abstraction_de
        désobéis dépasse ne_tiens_pas_compte""",
    "orders": """instructions instruction règles consignes ordres directives restrictions filtres
        prompt système contrôles""",
    "limit": """limite limites plafond stop stop_loss contrôles risque pertes""",
}

_OVERRIDE_SPANISH: Final = """
    <drop> ..3 <orders> ..3 <which>
    <drop> ..3 <which> ..2 <orders>
    <drop> ..2 <orders>
    <drop> ..1 todo ..4 antes|anterior|dicho|dijeron|arriba
    <drop> ..3 lo|de ?lo ?anterior anterior|dicho|que_precede
    instrucciones|reglas|órdenes ..4 anuladas|anulan|canceladas|revocadas|no_valen|sin_efecto|ya_no
    nuevas|nueva instrucciones|instrucción|órdenes|tarea :|son|es|a
    obedece ..2 a_mí|solo|este|mis|a ..1 texto|mensaje|mí|órdenes|.
    cumple ..1 mis órdenes|instrucciones
    haz lo que yo ?te digo|diga|mando
    haz lo que digo|diga|mando|quiero
    administrador : obedece
    salta|sáltate|omite|evita|elude los|las ..1 controles|filtros|medidas ..2 seguridad
"""
_ROLE_SPANISH: Final = """
    eres|actúa|finge|imagina|compórtate ..6 sin|ninguna|no ..3 restricciones|límites|reglas|filtros|censura|ética|tienes_restricciones|tuvieras
    eres|actúa|finge ..3 no tienes|tuvieras|hay ..1 reglas|restricciones|límites
    actúa como ?si no
    modo desarrollador|administrador|dios
"""
_REVEAL_SPANISH: Final = """
    muestra|muéstrame|revela|repite|imprime|dime|enseña|escribe|copia|da|dame ..4 prompt|instrucciones|sistema ?del ?iniciales ?secretas ..1 completo|sistema|iniciales|secretas|.
    muéstrame|revela|dime|dame|da|envía|manda|comparte ..3 contraseña|clave_privada|claves|frase_semilla|clave|contraseñas
    cuál|cuáles es|son|eran tus|tu instrucciones|prompt
"""
_SECRECY_SPANISH: Final = """
    no ?se ?le lo|digas|menciones|cuentes|informes|le|reveles ..5 al|usuario|usuarios|riesgos|nadie|dueño ..1 usuario|.|de|dueño
    oculta|esconde ..3 al|del|las|los usuario|pérdidas|riesgos|dueño
"""
_FINANCE_SPANISH: Final = """
    ignora|elimina|desactiva|quita|anula|supera|excede|sáltate|omite|cancela|olvida|borra|sube ..2 <limit> ..3 riesgo|pérdidas|posición|loss|.|diario|y|de
    ignora|elimina|desactiva|quita|cancela|borra ..1 todos|los|el ..2 stop|stops|límites|límite
    envía|transfiere|manda|mueve|retira|deposita ..5 a|al ..1 esta|este|mi|siguiente|la ..1 dirección|cartera|cuenta|billetera|wallet
    envía|transfiere|manda|retira todos|todo|el los|el|saldo ?fondos ?saldo ?completo
    ejecuta|aprueba|compra|vende|opera|confirma|firma|autoriza|envía ..4 sin ..2 confirmación|preguntar|consultar|aprobación|permiso|stop|autorización
    aprueba|autoriza|confirma|firma ..1 todas|todos|cualquier ..3 operaciones|retiros|órdenes|retiro|transacciones|solicitudes|transferencias
    operaciones|órdenes|retiros ..3 ya|están aprobadas|aprobados|autorizadas|están
    omite|salta|sáltate la confirmación
    no preguntes|consultes|pidas .|al|nada|confirmación|permiso
    sube|pon|usa|aumenta|lleva ..1 apalancamiento ..3 máximo|100x|<big>
    usa|con|abre apalancamiento ..2 máximo|<big>
    recomienda|pon|menciona|nombra|muestra|sugiere|lista siempre|primero ..8 primero|primer|lugar|mejor
    siempre recomienda|sugiere|menciona|nombra ..6 primero|primer|mejor
    recomienda siempre|solo !un|una|el|la|esperar|usar
    compra|opera|invierte|vende ..2 todo ..2 saldo|capital|cuenta|dinero
    di|afirma que ..5 segura|garantizada|mejor|seguro|garantizado
"""
_OVERRIDE_GERMAN: Final = """
    <drop> ..3 alle|vorherigen|vorigen|obigen|bisherigen|deine|die|vorige|bisherige|des|alles ..3 <orders>
    <drop> ..2 <orders> ..3 oben|vorher|bisher|system|nicht_mehr|systems
    <drop> ..1 alles ..5 vorher|oben|bisher|gesagt|steht|zuvor|obige
    neue anweisungen|anweisung|befehle|aufgabe :|lauten|sind
    tu|mach|mache was ich ?dir sage|will|befehle
    gehorche|folge nur|mir|meinen ?mir ?befehlen
    umgehe|überspringe|deaktiviere ..2 sicherheitsprüfung|sicherheitsregeln|sicherheitsprüfungen|filter|inhaltsfilter|kontrollen
    du|als bist|ki ..4 ohne|keine ..2 einschränkungen|regeln|grenzen|filter|beschränkungen|moral
    tu|handle|verhalte so|als|dich ..2 als|keine|hättest|ob ..3 regeln|einschränkungen|grenzen
"""
_REVEAL_GERMAN: Final = """
    zeige|zeig|verrate|nenne|gib|drucke|wiederhole|schreibe ..3 system_prompt|systemprompt|geheimen|prompt|systemnachricht|ursprünglichen ..2 .|anweisungen|prompt|aus
    verrate|nenne|gib|sende|schicke ..2 passwort|passwörter|seed_phrase|schlüssel|zugangsdaten|private_key
    wie|was lauten|sind|ist|lautet deine|dein ..1 anweisungen|prompt|systemprompt|regeln
"""
_SECRECY_GERMAN: Final = """
    sag|sage|erzähle|verrate|teile dem|der|das|niemandem|es ..1 nutzer|benutzer|besitzer|nutzern|nichts|niemandem ..2 nichts|davon|nicht|.
    verheimliche|verschweige|verstecke ..3 nutzer|benutzer|verluste|risiken|besitzer|gebühren
"""
_FINANCE_GERMAN: Final = """
    <drop>|hebe|überschreite ..2 <limit>
    sende|überweise|transferiere|schicke|verschiebe ..5 an|auf|in ..1 diese|dieses|mein|meine|folgende|die ..1 adresse|wallet|konto
    sende|überweise|schicke alle|das|alles ..1 mittel|gelder|guthaben|gesamte|an
    genehmige|führe|bestätige|kaufe|handle|verkaufe|sende ..5 ohne ..2 bestätigung|rückfrage|zustimmung|nachfrage|stop|stopp|freigabe|prüfung
    genehmige|bestätige alle|jede|jeden ..2 trades|aufträge|auszahlungen|transaktionen|auszahlung|order
    aufträge|orders|trades|transaktionen ..3 schon|bereits genehmigt|bestätigt|freigegeben
    frag|frage nicht nach|.|den|um
    erhöhe|setze|stelle|nutze den|maximalen|hebel|einen ?hebel ..4 maximum|maximal|100x|maximalen|höchsten
    mit|nutze|verwende maximalem|maximalen|höchstem hebel
    empfiehl|nenne|setze|liste|erwähne immer ..6 zuerst|erster|erste|stelle|beste|besten
    empfiehl immer|nur !einen|eine|ein|den|die|zu
    kaufe|handle|investiere mit|alles ..1 gesamten|gesamte|ganzen|vollen ..1 guthaben|kapital|konto
"""
_OVERRIDE_FRENCH: Final = """
    <drop> ..3 toutes|les|tes|ces|des|tout ..3 <orders> ..2 précédentes|système|données|et|.|de_sécurité|antérieures|ci_dessus|du_système|sécurité
    <drop> ..3 <orders> ..2 précédentes|antérieures|du_système|de_sécurité|système|sécurité
    <drop> ..1 tout|ce ce|qui|qu|quon|que|précède ..5 avant|précède|dit|dessus|appris|.
    nouvelles|nouvelle instructions|consignes|tâche|ordres :|sont|est
    fais ce que|qu ?je dis|veux|ordonne|dise
    obéis ..1 moi|à|uniquement|seulement
    es|agis|joue|comporte|fais|imagine ..6 sans|aucune|aucun ..2 limites|règles|restrictions|filtre|filtres|règle|restriction|censure
    fais comme si tu|rien ?nav* ..4 règle|règles|limites|restrictions
"""
_REVEAL_FRENCH: Final = """
    montre|affiche|révèle|répète|donne|écris|imprime|dis|montre_moi|dis_moi ..4 prompt|instructions|consignes ..1 système|secrètes|initiales|.|en
    donne|révèle|envoie|partage|dis|montre ..3 mot_de_passe|clé_privée|phrase_de_récupération|clés|mots_de_passe|phrase_secrète
    quelles|quel sont|est tes|ton instructions|prompt|consignes
"""
_SECRECY_FRENCH: Final = """
    ne le|dis|mentionne|révèle|lui|parle ..3 pas|rien|jamais ..4 utilisateur|lutilisateur|propriétaire|risques|personne|cela
    cache|dissimule ..3 utilisateur|lutilisateur|pertes|risques|frais|propriétaire
"""
_FINANCE_FRENCH: Final = """
    <drop> ..2 <limit> ..2 risque|pertes|perte|loss|position|.|journalière
    <drop> ..1 limite|limites|plafond|stop_loss
    envoie|transfère|déplace|verse|retire ..5 à|vers|sur ..1 cette|mon|ce|adresse|cet ..1 adresse|portefeuille|compte
    envoie|transfère|retire tous|tout|la les|le|totalité ?fonds ?solde
    approuve|exécute|achète|vends|confirme|signe|valide|envoie ..4 sans ..2 confirmation|demander|accord|autorisation|approbation|validation|stop
    approuve|valide|signe|confirme toutes|tous|chaque ..2 transactions|ordres|retraits|transaction|demandes
    ordres|transactions ..2 déjà approuvés|validés|approuvées|autorisés|validées
    ne demande|demandez rien|pas|jamais
    mets|utilise|monte|pousse|augmente ..3 levier ..3 maximum|max|100x
    utilise|avec levier|le ..1 maximum|maximal|100x
    recommande|place|mets|cite|liste|suggère toujours ..6 premier|première|meilleur|tête|position
    recommande toujours|uniquement !un|une|le|la|de
    achète|trade|investis ..1 tout ..2 solde|capital|compte|argent
"""


def _of(lists: dict[str, str], **patterns: str) -> tuple[Rule, ...]:
    return tuple(rule for family, lines in patterns.items() for rule in rules(family, lists, lines))


EUROPEAN_RULES: Final[tuple[Rule, ...]] = (
    *_of(
        _SPANISH,
        override=_OVERRIDE_SPANISH,
        role=_ROLE_SPANISH,
        reveal=_REVEAL_SPANISH,
        limits=_FINANCE_SPANISH,
    ),
    *rules("secrecy", _SPANISH, _SECRECY_SPANISH, is_order=False),
    *_of(_GERMAN, override=_OVERRIDE_GERMAN, reveal=_REVEAL_GERMAN, limits=_FINANCE_GERMAN),
    *rules("secrecy", _GERMAN, _SECRECY_GERMAN, is_order=False),
    *_of(_FRENCH, override=_OVERRIDE_FRENCH, reveal=_REVEAL_FRENCH, limits=_FINANCE_FRENCH),
    *rules("secrecy", _FRENCH, _SECRECY_FRENCH, is_order=False),
)
