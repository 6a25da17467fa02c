"""Statements in English."""

from typing import Final

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.language import LanguageRules, joined

_I: Final = r"(?:i|we)"
_AM: Final = r"(?:i am|i'm|im|we are|we're)"
_MY: Final = r"(?:my|our)"
_ADVERBS: Final = (
    r"(?:(?:really|strongly|generally|definitely|always|usually|personally|actually|also|mostly"
    r"|typically|normally|still|just|honestly|truly|clearly|much|simply|absolutely)\s+){0,2}"
)
_HABIT: Final = (
    r"(?:always|usually|never|only|mostly|typically|normally|generally|rarely|seldom"
    r"|exclusively|mainly|primarily|almost never|hardly ever|tend to)"
)
_DOES: Final = (
    r"(?:trade|buy|sell|hold|use|short|long|go long|go short|risk|size|scale|take|set|place|enter"
    r"|exit|keep|invest|avoid|close|cut|follow|borrow|chase|stop|add|average|hedge|read|look at"
    r"|work with|pay|swap|bridge|stake|withdraw|rebalance|dca|scalp|swing|ladder|roll|lend|farm"
    r"|touch|diversify|backtest|journal|watch|check|wait for|put|leave|stick|believe|want|need"
    r"|prefer|expect|have(?!\s(?:a|an|one|two|another|some)\s(?:quick\s)?(?:question"
    r"|problem|minute|moment|issue|second))|think in|quote|count|calculate|measure|go"
    r"|gamble|day\s?trade|share|let|panic|give)"
)
_THING: Final = (
    r"(?!(?:this|that|these|those|it|the (?:first|second|third|last|other|latter|former)|your"
    r"|you|how|what|to (?:say|think|admit|hear|know)|him|her|them)\b)"
)
_NOT_A_LITTLE: Final = (
    r"(?!(?:bit|little|lot|tad|few|fan of (?:this|that|your|it)|fool|idiot|moron|mess|sec"
    r"|minute|moment|while|loss|call|meeting|hurry|bad mood|position)\b)"
)
_ACCOUNTS: Final = (
    r"(?:broker|exchange|wallets?|custodian|bank|accountant|advis[eo]r|tax advis[eo]r"
    r"|bots?|node|vps"
    r"|server|ledger|trezor|brokerage|account|accounts|portfolio tracker|ira|roth ira|isa"
    r"|sipp|401k|pension"
    r"|employer stock|company stock|rsus?|options? account|validator|mining rig"
    r"|spreadsheet|journal)"
)
_LIMITS: Final = (
    r"(?:max(?:imum)?|min(?:imum)?|largest|biggest|smallest|hard|absolute|upper|lower|daily|weekly)"
)
_STATE_OF_MOMENT: Final = (
    r"(?!(?:again|down|empty|locked|broken|slow|stuck|offline|frozen|full|gone|lost|not\b"
    r"|still|being|closed|hacked|red|green|up\b|at \d|so |too |acting|loading|asking|saying"
    r"|blocked|\w+ing\b|in the (?:red|green)|very))"
)
_DURABLE_OPENING: Final = (
    r"(?:from now on|going forward|in (?:the )?future|from here on|as a (?:general )?rule"
    r"|by default"
    r"|every time|whenever [^,]{2,60}|when(?:ever)? (?:you|we|i) [^,]{2,60}"
    r"|each time [^,]{2,60}|for all (?:my|our) [^,]{2,40}"
    r"|always|at all times|remember to always|generally),?\s+(?:please\s+)?"
)
_TO_THE_AGENT: Final = (
    r"(?:please\s+)?(?:(?:do not|don't|never|always|only|also|just)\s+){0,2}(?:quote|show"
    r"|use|include|give|send|suggest|recommend"
    r"|propose|tell|keep|write|answer|reply|respond|put|start|end|list|add|ask|mention|warn|remind"
    r"|round|convert|format|state|explain|call|address|speak|talk|check|assume|treat|avoid"
    r"|skip|leave"
    r"|sort|summari[sz]e|report|display|express|price|name|mark|flag|remember)\b"
)

_PREFERENCE: Final = joined(
    rf"""
    (?:{_DURABLE_OPENING}{_TO_THE_AGENT}(?!\s+(?:this|that)\b)
    | {_DURABLE_OPENING}(?:no|only)\s\w
    | never\s(?:(?:suggest|recommend|propose|offer)\s\w|(?:show|give|send|call|ask|remind
    |tell)\s(?:me|us)\s|(?:show|use|mention|assume)\s[^.]*?\b(?:me|my|us|our|i)\b)
    | (?:please\s)?(?:keep|make|give)\s(?:all\s)?(?:your|the|my)\s(?:answers|replies|responses
    |summaries|messages|explanations|reports)\s
    | (?:please\s)?(?:call|address)\sme\s(?!back\b|when\b|in\b|at\b|if\b|later\b|an?\b|crazy
    |old\b|paranoid|stupid|lucky)
    | (?:please\s)?(?:stop|quit)\s(?:suggesting|recommending|proposing|sending|showing|asking
    |telling|offering|calling|using)\b(?!\s(?:this|that|it)\b)
    | (?:please\s)?(?:do\snot|don't)\sever\s
    | {_I}(?:'d|\swould)\s(?:much\s)?rather\s{_THING}
    | {_I}\s{_ADVERBS}(?:prefer|favou?r|avoid|(?:like|love|enjoy|hate|dislike|detest|trust
    |distrust|value|can't\sstand|cannot\sstand)(?![^.]*\byou(?:r|rs)?\b))\s(?!not\sto\s(?:answer
    |say|talk|tell|disclose|comment))(?!the\b|to\s*$|to[.!]|all\sthe\b){_THING}\w
    | {_I}\s{_ADVERBS}(?:do\snot|don't|dont)\s{_ADVERBS}(?:like|trust|enjoy|want|trade|use|do
    |hold|buy|believe\sin|care\sabout|need|touch|short|invest\sin|gamble
    |day\s?trade)\s{_THING}(?!to\s(?:be\srude|bother)|a\s(?:coffee|break))\w
    | {_AM}\s{_ADVERBS}(?:not\s)?(?:a\s(?:big\s|huge\s)?fan\sof|(?:more\s|most\s|only\s
    |very\s)?comfortable\swith|into|against|wary\sof|allergic\sto|interested\sin
    |keen\son)\s{_THING}\w
    | {_I}\s{_HABIT}\s{_ADVERBS}{_DOES}\b(?!\s(?:it|this|that)\b)
    | no\s\w+(?:\s\w+)?,?\splease\b
    | (?:spot|cash|majors|stocks|bonds|etfs|options|crypto|long)\sonly,?\s(?:for\sme|please)\b
    | {_I}(?:'d|\swould)\sappreciate\sit\sif\syou\s(?:could\s)?(?:always|never)\s
    | {_I}\s(?:strongly\s|firmly\s)?believe\sin\s{_THING}
    | {_MY}\s(?:golden\s|first\s|number\sone\s)?rules?(?:\sof\sthumb)?(?:\sis|\sare|:)\s
    | in\sall\s(?:your\s|my\s)?(?:replies|answers|reports|summaries|tables|charts)\s
    | {_I}\s(?:find|consider)\s[\w\s-]{{3,40}}\s(?:useless|pointless|boring|confusing|worthless
    |overrated)\b
    | {_I}\swant\s(?:every|all|each|any|no)\b
    | {_I}\s(?:always|only|never)\swant\b
    | {_I}\s(?:dca|buy|sell|rebalance|review|check|invest|put|add|withdraw|stake|sweep
    |take\sprofits?)\s?[^.]{{0,60}}?(?:\b(?:every|each)\s(?:single\s)?(?:day|week|month|year
    |quarter|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday|payday)
    |\b(?:daily|weekly|monthly|quarterly|yearly)\b|\bonce\sa\s(?:day|week|month|quarter|year))
    | {_I}\s(?:trade|invest\sin|invest|scalp|day\s?trade|swing\s?trade|follow|copy|track
    |journal)\s{_THING}(?!like\b)\w
    | {_I}\s(?:hold|own|buy|use|trade|look\sat|read)\s(?:mostly|mainly|only|exclusively
    |primarily|nothing\sbut|almost\sonly)\s
    | {_I}\s(?:do\snot|don't|dont)\swant\s(?:to\s(?:hear|see|trade|use|hold|risk|invest|borrow
    |own|touch|lose|short|buy|take|pay)|any|more)\b
    | (?:please\s)?(?:do\snot|don't)\s(?:recommend|suggest|propose|offer|pitch)\s{_THING}\w
    | (?:please\s)?(?:keep|make)\s(?:it|things|everything)\s(?:short|brief|simple|concise)\b
    | (?:you\s(?:can|may|should)\s|just\s)call\sme\s(?!back|when|in\b|at\b|if|later|an?\b|crazy
    |old|paranoid|stupid|lucky)
    | {_I}(?:'d|\swould)\slike\s(?:you\s)?to\s(?:always|never)\s
    | {_AM}\s(?:bullish|bearish)\b[^.]*\blong[\s-]?term
    | {_I}\swant\s(?:you\s)?to\salways\s
    | {_MY}\s(?:favou?rite|preferred|usual|default|go-to|standard)\s[\w\s/'-]{{2,40}}\s(?:is|are)\s
    )"""
)
_PROFILE: Final = joined(
    rf"""
    (?:{_AM}\s{_ADVERBS}\d\d\b(?!\s?(?:%|percent|minutes?|hours?|seconds?|dollars|k\b|points|up
    |down|usd|euros?))
    | {_AM}\s{_ADVERBS}(?:a|an)\s{_NOT_A_LITTLE}(?:[\w'/-]+\s){{0,4}}?(?:investor|trader
    |beginner|novice|newbie|expert|pro|professional|developer|engineer|nurse|doctor|teacher
    |student|lawyer|pilot|driver|farmer|accountant|analyst|programmer|retiree|freelancer
    |contractor|consultant|resident|citizen|scalper|hodler|holder|miner|quant|economist|founder
    |owner|manager|parent|mother|father|dad|mum|mom|widow|widower|veteran|person|family\soffice
    |fund|company|minimalist|night\sowl
    |pensioner|chemist|scientist|writer|artist|nomad|expat|amateur|veteran|market\smaker|bull
    |bear|maximalist)\b
    | {_AM}\s{_ADVERBS}(?:retired|self-employed|unemployed|married|divorced|single
    |colou?r-?blind|deaf|blind|dyslexic|risk[\s-]averse|conservative|(?:very\s|quite\s
    |fairly\s)?(?:new\sto|experienced\s(?:in|with))|based\sin|living\sin|from\s(?!now|here|there
    |work|home|what|this|the\s(?:start|beginning)))
    | {_I}\s(?:currently\s)?(?:live|reside)\s(?:in|near|outside|on)\b
    | {_I}\swork\s(?:as|for|at|in|nights|night|from|part|full|shifts)\b
    | {_I}(?:\shave|'ve)\sbeen\s(?:\w+ing)\s[^.]{{0,60}}?\b(?:for\s(?:(?:about|over|more\sthan
    |almost|nearly|some|the\spast|the\slast)\s)?(?:\w+\s)?(?:years?|decades?|months?)
    |since\s(?:19|20)\d\d)
    | {_I}(?:\shave|'ve)\s(?:\w+\s){{1,4}}(?:years|decades)\sof\s(?:experience|trading)
    | {_I}\s(?:started|began)\s[^.]{{2,40}}\bin\s(?:(?:19|20)\d\d|january|february|march|april
    |may|june|july|august|september|october|november|december)
    | {_I}\s(?:can|could)\s(?:stomach|tolerate|handle|accept|live\swith|sit\sthrough|bear
    |afford\sto\slose)\s{_THING}\w
    | {_AM}\s(?:perfectly\s|totally\s)?(?:ok|okay|fine|happy)\swith\s(?:losing|risking|holding
    |drawdowns?|a\s\d|up\sto|volatility|leverage|small|being|\d)
    | {_I}\shave\s(?:a|an|no)\s[\w\s-]{{0,24}}?(?:horizon|time\s?frame|risk\s(?:appetite
    |tolerance)|mandate|background|degree|addiction|temper)\b
    | {_AM}\sin\s(?:the\s)?(?:uk|us|usa|eu|europe|england|scotland|ireland|germany|france|spain
    |italy|portugal|switzerland|austria|netherlands|belgium|poland|sweden|norway|denmark|finland
    |greece|turkey|canada|australia|new\szealand|india|singapore|japan|china|taiwan|korea
    |hong\skong|thailand|vietnam|indonesia|philippines|brazil|argentina|chile|mexico|dubai|uae
    |israel|nigeria|kenya|south\safrica|new\syork|california|texas|florida|london|berlin
    |paris)\b
    | {_AM}\s(?:a\s)?(?:muslim|christian|jewish|hindu|buddhist|vegan|vegetarian|quaker|religious
    |bipolar|pregnant|disabled)\b
    | {_I}\smanage\s(?:about\s|around\s|roughly\s|over\s)?(?:\$|€|£)?\s?\d
    | {_I}(?:\shave|'ve)\sbeen\s(?:burned|burnt|liquidated|scammed|rugged|wiped\sout)\s
    | {_I}\sget\s(?:very\s|really\s|too\s)?(?:anxious|nervous|scared|greedy|emotional|stressed
    |impatient|bored|fomo)\b
    | {_MY}\s(?:(?:main|core|basic|only|usual|trading|overall)\s)?(?:strategy|approach|method
    |system|philosophy|edge|routine|methodology)\sis\s(?!not\sworking|broken|failing|to\s(?:hold
    |ride|stick|wait|keep|let|monitor|maintain|close|remain))
    | {_MY}\s(?:portfolio|allocation|book|retirement\saccount)\s(?:is|consists\sof|contains
    |has)\s(?:about\s|roughly\s|around\s)?(?:mostly|mainly|entirely|all|only|\d+\s?(?:%
    |percent)\s(?!down|up|lower|higher|in\sthe\s(?:red|green)))
    | {_I}\skeep\s(?:about\s|around\s|at\sleast\s)?\d+\s?(?:%|percent)\s
    | time\s?zone(?:\sis|:)\s
    | {_I}\s(?:have\s)?retired\s
    | {_I}\slost\s[^.]{{3,40}}\s(?:in|during)\sthe\s[\w\s]{{2,24}}(?:crash|bear|winter|bubble
    |crisis|collapse)
    | {_I}\sconsider\s(?:myself|ourselves)\s
    | {_I}\s(?:panic|tilt|worry|scare|get\snervous|get\sscared)\s(?:easily|quickly|whenever|when
    |fast)\b
    | {_I}\s(?:pay|file|am\staxed|'m\staxed)\s(?:\w+\s)?tax(?:es)?\b
    | {_I}\shave\s(?:about|around|roughly|some|over|nearly)?\s?(?:\$|€
    |£)\s?\d[\d.,]*\s?[km]?\b(?!\s(?:left|profit|loss))
    | {_I}\shave\s(?:a|an|two|three|four|no|\d+)\s(?:[\w-]+\s){{0,3}}(?:kids?|child(?:ren)?
    |degree|mortgage|family|dependents|pension|job|day\sjob|savings|experience|background|phd)\b
    | {_MY}\s(?:(?:personal|general|overall)\s)?(?:risk\s(?:tolerance|appetite|profile)
    |time\s?zone|(?:investment|time)?\s?horizon|experience|age|job|profession|native\slanguage
    |mother\stongue|first\slanguage|tax\sresidence|country|net\sworth|salary|income|nationality
    |background|trading\sstyle|style|name)\s(?:is|are)\s(?!(?:too|so|not\syour)\b)
    | (?:crypto(?:currenc(?:y|ies))?|stocks|equities|bonds|gold|cash|bitcoin|btc|eth
    |real\sestate|options|commodities|etfs)\s(?:is|are|makes?\sup|make\sup)\s(?:about|around
    |roughly|only|some|less\sthan|under)?\s?\d+\s?(?:%|percent)\sof\s(?:my|our)\b
    | (?:english|german|spanish|french|chinese|portuguese|italian|japanese
    |russian)\sis\s(?:not\s)?my\s
    )"""
)
_CONSTRAINT: Final = joined(
    rf"""
    (?:{_I}\s{_ADVERBS}(?:can't|cannot|can\snot|must\snot|mustn't|may\snot|won't|will\snot
    |shouldn't|should\snot)\s(?:ever\s)?(?:trade|hold|short|buy|sell|use|risk|own|invest|lose
    |borrow|afford|exceed|withdraw|leverage|touch|go\s(?:short|above|over|below)|have\smore
    |open\smore|take\s(?:more|on)|day\s?trade)\b(?!\s(?:it|this|that|the\s(?:web|app|site))\b)
    | {_I}\s(?:can|may)\s(?:only|at\smost)\s(?:trade|hold|short|buy|sell|use|risk|invest|lose
    |spend|afford|look|check|act|answer|deposit|withdraw)\b
    | {_I}\s(?:must|have\sto|need\sto|am\srequired\sto|'m\srequired\sto
    |am\sobliged\sto)\s(?:always\s)?(?:keep|hold|stay|report|get\sapproval|ask|pre-?clear
    |maintain|limit|disclose|remain)\b(?!\s(?:it|this|that|going|you|(?:my|the|these
    |all)\s(?:positions?|trades?|orders?|stops?))\b)
    | {_AM}\s(?:not\s(?:allowed|permitted|able)|(?:legally\s)?(?:forbidden|prohibited|barred)
    |only\sallowed
    |restricted)\s(?:to|from)\s
    | {_I}\snever\s[^.]{{3,80}}\bfor\s(?:religious|ethical|moral|legal|tax|health)\sreasons
    | {_MY}\s(?:company|employer|broker|bank|contract|religion|firm|compliance(?:\sdepartment
    |\steam)?|wife|husband|partner|fund|mandate|prop\sfirm|jurisdiction|country)\s(?:doesn't
    |does\snot|won't|forbids|prohibits|only\sallows|requires|limits|caps|restricts)\b
    | {_MY}\s{_LIMITS}\s(?:[\w-]+\s){{1,4}}(?:is|are)\s
    | {_MY}\s(?:[\w-]+\s){{1,4}}(?:(?:must|should)\s(?:not|never|only|always|stay|be|remain)
    |(?:may|can)\s(?:not|never|only))\b
    | {_MY}\s(?:leverage|drawdown|loss|risk|position\ssize|exposure|budget|stop)\s(?:limit|cap
    |budget)\s(?:is|per)\b
    | no\s(?:single\s)?(?:position|trade|asset|coin|stock|order)\s(?:may|must|can
    |should)\s(?:ever\s)?(?:be|exceed|risk|cost)\b
    | {_I}\s(?:can't|cannot|can\snot|am\snot\sable\sto|'m\snot\sable\sto)\s(?:watch|monitor
    |look\sat|follow|react|sit\sin\sfront)\s{_THING}\w
    | {_I}\s(?:do\snot|don't|dont)\shave\s(?:the\s|much\s|any\s|enough\s)?(?:time|patien(?:ce)
    |nerves|money)\s(?:to|for)\s{_THING}
    | (?:no|nothing\swith|absolutely\sno)\s[\w\s,'-]{{3,50}}\sfor\sme\b
    | (?:max(?:imum)?|at\smost|no\smore\sthan)\s\d[^.]{{0,60}}(?:at\sa\stime|per\s(?:trade|day
    |week|month|position)|for\sme|at\sonce)\b
    | {_MY}\s(?:monthly\s|weekly\s|yearly\s)?budget(?:\sfor\s[\w\s]{{2,24}})?\sis\s
    | {_I}\s(?:do\snot|don't|dont)\shave\smore\sthan\s\d
    | {_MY}\s(?:account|portfolio|budget|capital)\sis\stoo\ssmall\sfor\s
    | {_I}\snever\s(?:risk|lose|leverage|borrow|go\sabove|go\sover|exceed)\b
    | never\s(?:use|risk|exceed|go\s(?:above|over|beyond)|put|leverage|open|buy|sell
    |trade)\s(?:more\s|over\s|above\s|any\s|leverage|my\s)
    )"""
)
_LATER: Final = (
    r"[^.]{0,120}?(?:\bby\s(?:the\s(?:end|time)|20\d\d|next|age|\d\d\b)|\bthis\syear\b"
    r"|\bnext\syear\b|\bin\s(?:\w+\s){1,3}years?\b|\ba\s(?:year|month)\b|\bper\s(?:year"
    r"|month)\b|\bbefore\s(?:20\d\d|i'?m)|\bwithin\s|\bone\sday\b|\bannually\b"
    r"|\bevery\smonth\b)"
)
_GOAL: Final = joined(
    rf"""
    (?:{_MY}\s(?:(?:main|long-term|ultimate|financial|big|only|biggest|current|overall
    |investment|trading|retirement|life)\s)?(?:goal|aim|objective|dream|ambition|plan)\s(?:is
    |are|remains)\s(?:to\s(?!finish|get\sthis|fix|debug|deploy|see\b|understand|find|test|check
    |close|sell|buy\sthe)|\d|a\s|an\s|financial|early)
    | {_MY}\s(?:(?:annual|yearly|monthly|long-term|retirement|return|profit
    |growth)\s)?target\s(?:is|remains)\s(?:to\s|[^.]{{0,20}}(?:%|percent))(?:[^.]*)
    | {_I}\swant\sto\s(?:live\soff|retire|build|become|grow|get\s(?:better|good|out\sof\sdebt
    |rich|consistent)|stop|quit|double|reach|accumulate|diversify|improve|reduce|beat
    |learn\s(?:how\sto\s)?(?:properly\s)?(?:trade|invest|read|manage|hedge|day|swing|size|analy[sz]e
    |options|futures|technical|fundamental|macro|value|risk|about\s(?:invest|trad|option|macro))
    |own|save|earn|pay\soff|be\s(?:financially
    |debt|able|independent|free))\b
    | {_I}\swant\sto\s{_LATER}
    | {_I}(?:'d|\swould)\slike\sto\s(?:stop|quit|learn\s(?:how\sto\s)?(?:properly\s)?(?:trade
    |invest|read|manage|hedge|day|swing|size|analy[sz]e
    |options|futures|technical|fundamental|macro|value|risk|about\s(?:invest|trad|option|macro))
    |become|retire|reduce|improve|build
    |diversify|get\sbetter|overcome|be\sable|own|double|grow)\b
    | {_AM}\s(?:trying|hoping|aiming|planning|working|looking)\sto\s(?:get\s(?:my|our|better
    |out\sof)|build\s(?:a\s|my\s|up\s)?(?:\w+\s){{0,2}}?(?:portfolio|wealth|position|income
    |savings|fund|capital)
    |become|reduce|improve|stop|quit|learn\s(?:how\sto\s)?(?:properly\s)?(?:trade|invest|read
    |manage|hedge|day|swing|size|analy[sz]e
    |options|futures|technical|fundamental|macro|value|risk|about\s(?:invest|trad|option|macro))
    |grow|retire|save|pay\soff|double|beat
    |accumulate|diversify|reach)\b
    | {_AM}\s(?:trying|hoping|aiming|planning)\sto\s{_LATER}
    | {_AM}\s(?:saving|putting\smoney\saside)\s(?:up\s)?(?:for|to)\s
    | {_AM}\s(?:putting|setting|laying)\saside\s[^.]{{2,40}}\sfor\s
    | what\s(?:i|we)\s(?:really\s|ultimately\s)?want\sis\s(?:a\s|an\s|to\s(?:live|retire|be|have
    |own|build)|passive|steady|financial|\d)
    | {_I}\s(?:hope|want)\sto\sleave\s(?:my|our)\s
    | {_AM}\sworking\stowards\s
    | {_I}\s(?:aim|plan|intend|hope)\sto\s(?:double|retire|build|grow|buy\sa\s(?:house|home
    |flat)|reach|become|save|live|pay\soff|accumulate)\b
    | {_I}\s(?:aim|plan|intend|hope)\sto\s{_LATER}
    | {_I}\s(?:will\s)?need\s(?:my|the|this)\smoney\s(?:back\s)?(?:in|by|for)\s
    )"""
)
_FACT: Final = joined(
    rf"""
    (?:{_MY}\s(?:(?:[\w-]+)\s){{0,3}}{_ACCOUNTS}\s(?:is|are|runs?|lives?|sits?|vests?|holds?
    |needs|uses?|trades?)\s{_STATE_OF_MOMENT}
    | {_I}\suse\s(?!the\sword|it|this|that|to\b)(?:a\s|an\s|the\s|my\s
    |two\s)?[\w.+-]+(?:\s[\w.+-]+){{0,4}}\s(?:for|as|to|on|with)\s
    | {_MY}\s(?:(?:long-term|cold|main|spot|other)\s)?(?:coins|tokens|stack|holdings|savings
    |bags|crypto|bitcoins?|btc|eth)\s(?:is|are|sits?)\s(?:all\s|mostly\s)?(?:at|on|in
    |with)\s(?!the\s(?:red|green)|profit|loss|fire|the\sway)
    | (?:most|all|half|some|the\srest)\sof\s(?:my|our)\s[\w\s]{{2,24}}?\s(?:is|are
    |sits?)\s(?:staked|held|kept|stored|parked|locked|invested|in|at|on|with)\s(?!the\s(?:red
    |green)|profit|loss)
    | {_I}(?:\shave|'ve)\sgot\s(?:a|an|one|two|three|\d+)\s(?:[\w-]+\s){{0,3}}(?:accounts?
    |wallets?|brokers?|bots?|portfolios?)\b
    | {_I}\s(?:keep|store|custody|park|stake)\s(?:my|our|all|most|everything|the\s(?:rest
    |bulk))\b[^.]{{0,60}}\b(?:at|on|in|with)\s
    | {_I}\s(?:hold|own|have)\s(?:about\s|around\s|roughly\s
    |over\s)?\d[\d.,]*\s?[km]?\s?[a-z]{{2,8}}\b(?!\s(?:questions?|minutes?
    |problems?))[^.]{{0,60}}\b(?:in|at|on|with)\s(?:cold|a\s|my\s|the\s|hot|[a-z])
    | {_I}\suse\s(?:a\s|an\s|my\s|the\s|two\s)?(?:[\w-]+\s)?(?:wallet|ledger|trezor|broker|bots?
    |exchange|vpn|terminal|tradingview|metatrader|spreadsheet|journal|screener|metamask|phantom
    |rabby|nansen|glassnode)\b
    | {_I}\s(?:own|hold)\s(?:about\s|around\s|roughly\s|over\s)?\d[\d.,]*\s?[km]?\s(?:shares?
    |coins?|tokens?|ounces?|bonds?|units?|btc|eth|sol|bitcoins?)\b
    | {_I}\shave\s(?:a|an|one|two|three|four|five|\d+|several
    |separate)\s(?:[\w-]+\s){{0,3}}(?:accounts?|wallets?|brokers?|bots?|portfolios?|nodes?
    |validators?|ledgers?|vaults?|subaccounts?|sub-accounts?|isa|ira)\b
    | {_I}\s(?:trade|invest|buy|bank)\s(?:\w+\s)?(?:through|via|at|with)\s[a-z]
    | {_I}\s(?:rent|run|host|operate)\s(?:a|an|my|two|our)\s(?:[\w-]+\s){{0,3}}(?:bot|bots|node
    |server|vps|validator|rig|strategy)\b
    )"""
)

ENGLISH_STATEMENTS: Final = LanguageRules(
    may=expression(
        r"\b(?:i|i'\w+|im|my|we|we're|our|never|always|please|call|stop|keep|from|going"
        r"|english|german"
        r"|spanish|french|chinese|crypto|stocks|bonds|gold|cash|bitcoin|btc|eth|no"
        r"|remember|in|by|max|maximum|at|time|timezone|you|just|make|do|don't|dont"
        r"|absolutely|nothing)\b"
    ),
    opening=joined(
        r"""
        (?:(?:also|and|but|so|well|ok(?:ay)?|please|pls|thanks|thank\syou|hi|hello|hey|btw
        |by\sthe\sway|fyi|again|plus|yes|no|yeah|nope|sure|great
          |personally|honestly|frankly|basically|in\sgeneral|generally|overall|usually|first
          |second|finally|right|cool|perfect|good|sorry|unfortunately
          |just\sso\syou\sknow|for\sthe\srecord|for\syour\sinformation|for\scontext
          |for\sreference|one\smore\sthing|one\sthing|to\sbe\s(?:clear|honest)
          |note|important|reminder|ps|p\.s\.|remember|keep\sin\smind|note|bear\sin\smind
          |you\sshould\sknow|be\saware|i\swant\syou\sto\s(?:know|remember)
          |as\s(?:a|an)\s[\w\s-]{2,30}?(?=,|\s(?:i|my|we)\b)|since\slast\syear|these\sdays|nowadays
          |when\sit\scomes\sto\s[^,]{2,40}|with\s\w+(?:\s\w+)?|for\s(?:me|us|crypto|stocks
          |options)|because\s[^,]{2,60},)
          \s*[,:!.\-]?\s*(?:that\s)?)"""
    ),
    states=(
        ("constraint", _CONSTRAINT),
        ("goal", _GOAL),
        ("fact", _FACT),
        ("profile", _PROFILE),
        ("preference", _PREFERENCE),
    ),
    refused=(
        (
            "hypothetical",
            expression(
                r"\b(?:(?<!appreciate it )if|suppose|supposing|imagine|assum(?:e|ing)"
                r"|let'?s say|pretend"
                r"|hypothetically"
                r"|unless|as if|in case|theoretically|say that i|otherwise i'd|would have)\b"
            ),
        ),
        (
            "hedged",
            expression(
                r"\b(?:maybe|perhaps|might|possibly|not sure|unsure|i guess|i suppose"
                r"|some ?day|one of these days|probably"
                r"|thinking (?:about|of)|considering|wonder(?:ing)?|i think i|kind of want"
                r"|tempted)\b"
                r"|\bi(?: do not|'?m not| don't| am not) (?:think|believe|say(?:ing)?"
                r"|mean(?:ing)?|claim(?:ing)?|feel like|know)\b"
            ),
        ),
        (
            "past",
            expression(
                r"\b(?:used to|back then|when i was|in the past|until (?:19|20)\d\d"
                r"|not any ?more|years ago"
                r"|previously|formerly|at the time|once upon)\b"
            ),
        ),
        (
            "momentary",
            expression(
                r"(?<!from )\b(?:right now|now|today|tonight|tomorrow|yesterday"
                r"|at the moment|for now|asap|a moment"
                r"|here|yet|until (?!(?:19|20)\d\d)|just a (?:minute|second)|a sec(?:ond)?"
                r"|this (?:trade|one|time|morning"
                r"|afternoon|evening|chart|position|order|setup|answer|reply|message"
                r"|option|idea|plan|conversation|chat|session)"
                r"|these (?:trades?|positions?|orders?|setups?|levels?|coins?|prices?)"
                r"|last (?:night|week|month)|by \d{1,2} ?(?:am|pm)|coffee|the (?:first"
                r"|second|third|latter|former) (?:one|option))\b"
            ),
        ),
        (
            "momentary",
            expression(
                r"^(?:[^\s,]+ ){0,5}(?:it|that|this|these|those|one)(?: (?:yet|though"
                r"|either|again|please|now))?[.!]*$"
                r"|\bthis (?!year|is\b|account|way\b|group|market\b)"
            ),
        ),
        (
            "joke",
            expression(
                r"\b(?:just kidding|jk|lol|haha\w*|kidding|sarcasm|lmao|rofl)\b|/s$"
                r"|[:;]-?[)dp](?:\s|$)|😂|🤣|😜"
            ),
        ),
        (
            "reported",
            expression(
                r"\b(?:say|says|said|told|tells|telling me|wrote|writes|claims?|according to)\b"
                r"|\b(?:the user|the owner)\b"
            ),
        ),
    ),
    others=expression(
        r"(?:(?:my|our|a|the|his|her|some|one of my|this)\s(?:\w+\s){0,2}?(?:friend"
        r"|brother|sister|wife|husband|partner|dad|father|mom|mum|mother|boss|colleague"
        r"|coworker|neighbou?r|son|daughter|uncle|aunt|cousin|roommate|client|customer"
        r"|trader|user|author|hero|article|book|guy|girl|man|woman)s?\b(?!\s(?:does(?:n't"
        r"| not)|won't|forbids|only lets|requires|wants me))|(?:he|she|they|people"
        r"|everyone|everybody|someone|somebody|most|many|others|nobody)\b)"
    ),
    material=joined(
        r"""(?m)
        (?:^|[.!?]\s+|please\s|you\s)(?:translate|rewrite|rephrase|paraphrase|summari[sz]e
        |proofread|correct|fix\sthe\sgrammar|improve\sthe\swording
          |draft|compose|write\s(?:a|an|the|me)|pretend|imagine|act\s(?:as|like)|role-?play
          |play\sthe\srole|generate|complete\sthe\ssentence
          |analy[sz]e\sthe\s(?:following|text|sentence)|what\sdoes\s.{1,40}\smean|classify|here\sis\s(?:a|an|the|my|some)\s(?:text|article|log|prompt|email|transcript|quote|letter|story|post|tweet|example))\b"""
    ),
)
