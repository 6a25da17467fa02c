"""Statements in German."""

from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.language import LanguageRules

_THING: Final = (
    r"(?!(?:dies\w*|das(?=[.!]?$)|das (?:hier|da)\b|es|ihn|sie|deine?\w*|wie du"
    r"|den (?:ersten|zweiten)"
    r"|die (?:erste|zweite))\b)"
)
_ACTS: Final = (
    r"(?:antworte|nenne?|zeige?|gib|verwende|benutze?|schreibe?|schlage?|sag|halte?|fass"
    r"|erkläre?|rechne|sende|schicke?|erwähne|empfiehl|empfehle|nutze?|warne?|frage?|sprich)"
)

GERMAN_STATEMENTS: Final = LanguageRules(
    may=expression(
        r"\b(?:ich|mein\w*|wir|unser\w*|mich|mir|bitte|ab|immer|nie|niemals|nenn|keine?"
        r"|künftig|zukünftig|antworte)\b"
    ),
    opening=expression(
        r"(?:(?:also|und|aber|ok(?:ay)?|bitte|danke|hallo|hi|übrigens|außerdem"
        r"|nur zur info|zur info|hinweis|merke? dir|denk daran|wichtig"
        r"|generell|grundsätzlich|allgemein|persönlich|ehrlich gesagt|ja|nein|noch etwas"
        r"|als \w+(?: \w+)?)\s*[,:!.]?\s*(?:dass )?)"
    ),
    states=(
        (
            "constraint",
            expression(
                r"(?:ich (?:darf|kann)(?: \w+)? (?:nicht|nur|kein\w*|maximal"
                r"|höchstens) (?!ein(?:loggen|steigen)|finden|sehen|öffnen)\w"
                r"|ich (?:darf|muss) (?:immer |stets |mindestens )"
                r"|mein\w* (?:maximal\w*|minimal\w*|höchst\w*"
                r"|größt\w*) [\w -]{2,40}? (?:ist|beträgt|liegt|sind)\b"
                r"|mein \w*(?:arbeitgeber|broker|vertrag|chef|firma) (?:erlaubt|verbietet"
                r"|verlangt)\b"
                r"|ich riskiere (?:nie|maximal|höchstens|nicht mehr)\b"
                r"|mehr als [^.]{1,30} (?:riskiere|setze) ich nie)"
            ),
        ),
        (
            "goal",
            expression(
                r"(?:mein\w* (?:\w+ )?(?:ziel|traum|plan|wunsch) (?:ist|bleibt|sind)\b"
                r"|ich spare (?:auf|für)\b"
                r"|ich (?:will|möchte) (?:(?:bis|mit|in) (?:\d|zum|ende|\w+ jahren)|lernen"
                r"|aufhören|unabhängig|finanziell)"
                r"|ich (?:will|möchte) [^.]{3,80}(?:bis (?:20\d\d|ende)|in \w+ jahren|mit \d\d)"
                r"|ich arbeite (?:darauf|auf) \w)"
            ),
        ),
        (
            "fact",
            expression(
                r"(?:mein\w* (?:[\w-]+ )?(?:broker|börse|wallet|depot|konto|bank"
                r"|steuerberater\w*|bot|server|bots|hauptkonto|cold wallet"
                r"|depotbank) (?:ist|sind|läuft|liegt|heißt)\b"
                r"(?! (?:im (?:minus|plus)|rot|grün|leer|gesperrt|down|kaputt|weg|langsam"
                r"|nicht|wieder|offline|schon))"
                r"|ich habe (?:ein|eine|einen|zwei|drei|vier|\d+"
                r"|mehrere) (?:[\w-]+ )?(?:depots?|konten|konto|wallets?|broker|bots?"
                r"|accounts?|börsen)\b"
                r"|ich (?:lagere|verwahre|halte) (?:mein|alle|den rest"
                r"|\d)[^.]{2,60}\b(?:bei|auf|in)\b"
                r"|ich (?:nutze|benutze|verwende) (?!das wort)[\w .-]{2,40} (?:für|zum|als)\b)"
            ),
        ),
        (
            "profile",
            expression(
                r"(?:ich bin (?:(?:eher|ein|eine|sehr"
                r"|ziemlich) )?(?:\w+ ){0,2}(?:anleger\w*|trader\w*|investor\w*"
                r"|anfänger\w*|einsteiger\w*|profi|rentner\w*|student\w*|lehrer\w*|ärztin"
                r"|arzt|ingenieur\w*|selbstständig|selbständig|konservativ|risikoscheu"
                r"|\d\d jahre|händler\w*|entwickler\w*|krankenpfleger\w*|pensionär\w*"
                r"|neu (?:bei|in))\b"
                r"|ich bin \d\d\b|ich (?:wohne|lebe) in\b|ich arbeite (?:im schicht|als"
                r"|bei|für|nachts|in)\b"
                r"|ich (?:\w+ )(?:\w+ )?seit (?:\w+ )?(?:\w+ )?jahren?\b"
                r"|ich (?:\w+) seit (?:19|20)\d\d\b|ich zahle [^.]{0,30}steuern"
                r"|mein\w* (?:risiko(?:bereitschaft|toleranz|neigung|profil)|zeitzone"
                r"|anlagehorizont|horizont|beruf|alter|erfahrung|muttersprache"
                r"|name) (?:ist|beträgt|liegt))"
            ),
        ),
        (
            "preference",
            expression(
                r"(?:mir (?:ist|sind) [^.]{2,40} lieber\b|ich (?:kaufe|verkaufe|spare"
                r"|investiere|bespare|prüfe"
                r"|rebalance) [^.]{0,60}?(?:jede[nsmr]?\s(?:monat|woche|tag|quartal|jahr"
                r"|montag|freitag)|monatlich|wöchentlich|täglich|jährlich)\b"
                r"|bitte keine? [^.]{3,40}(?:vorschlagen|empfehlen|zeigen|erwähnen"
                r"|nennen)\b|(?:bitte )?(?:halte?|mach\w*|fass\w*) (?:deine|die"
                r"|alle) (?:antworten|berichte|nachrichten)\b|(?:ab jetzt|ab sofort"
                r"|künftig|zukünftig|in zukunft|von nun an|immer"
                r"|grundsätzlich)[,]? (?:bitte )?(?:immer |nur |nie |keine? )?\w"
                rf"|{_ACTS} (?:mir |mich )?(?:bitte )?(?:immer|nie|niemals|stets|nur noch"
                rf"|künftig|grundsätzlich)\b"
                r"|nenn mich \w|schlag mir (?:nie|keine)\b"
                rf"|ich (?:\w+ )?(?:bevorzuge|mag|liebe|hasse|vermeide|meide"
                rf"|präferiere) (?!(?:die|der|das|den)\b)(?:\w+ )?{_THING}\w"
                rf"|ich (?:handle|trade|kaufe|nutze|halte|shorte|investiere|riskiere"
                rf"|verwende|setze) (?:grundsätzlich |in der regel )?(?:nur|nie|niemals"
                rf"|immer|meist|meistens|ausschließlich|hauptsächlich|keine?)\b"
                r"|ich (?:möchte|will) (?:immer|nie|stets|keine|alle|jede\w*"
                r"|nur(?! (?:wissen|mal|kurz|fragen|sagen|sehen|kurz)))\b"
                r"|(?:am liebsten|lieber|meistens|normalerweise) (?:\w+) ich\b"
                r"|mein\w* (?:lieblings\w+|bevorzugt\w* [\w-]+) (?:ist|sind)\b)"
            ),
        ),
    ),
    refused=(
        (
            "hypothetical",
            expression(
                r"\b(?:wenn|falls|angenommen|nehmen wir an|stell dir vor|hypothetisch|wäre"
                r"|hätte|würde)\b"
            ),
        ),
        (
            "hedged",
            expression(
                r"\b(?:vielleicht|eventuell|möglicherweise|bin (?:mir )?nicht sicher|wohl"
                r"|ich glaube|ich denke|überlege|irgendwann)\b|ich (?:will"
                r"|möchte) nicht (?:sagen|behaupten)"
            ),
        ),
        ("past", expression(r"\b(?:früher|damals|ehemals|nicht mehr so|als ich \w+ war)\b")),
        (
            "momentary",
            expression(
                r"\b(?<!ab )(?:jetzt|gerade|heute|morgen früh|gestern|im moment|momentan"
                r"|sofort|diese woche|diese\w* (?:trade|position|order"
                r"|antwort))\b(?! an\b)"
            ),
        ),
        ("joke", expression(r"\b(?:nur spaß|scherz|haha\w*|lol)\b|[:;]-?[)dp](?:\s|$)")),
        (
            "reported",
            expression(r"\b(?:sagt|sagte|sagen|meint|meinte|laut|angeblich|der nutzer)\b"),
        ),
    ),
    others=expression(
        r"\b(?:(?:mein\w*|ein\w*|der|die|sein\w*|ihr\w*)\s(?:freund|bruder|schwester|frau"
        r"|mann|partner|vater|mutter|chef|kolleg|nachbar|sohn|tochter|onkel|tante|händler"
        r"|nutzer|artikel)\w*\b(?!\s(?:erlaubt|verbietet))|(?:er|sie|man|jeder|jemand"
        r"|viele|leute)\b)"
    ),
    material=expression(
        r"\b(?:übersetze?|formuliere?|fasse? (?:das|den|die|diesen)|schreib (?:einen?"
        r"|eine) |stell dir vor|tu so|spiel(?:e)? (?:einen|eine|die rolle))\b"
    ),
)
