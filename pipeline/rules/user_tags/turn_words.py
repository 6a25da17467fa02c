"""Words by which a message shows which tags its answer needs, by dimension and language.

They are regular expressions over a message in small letters. Those of scripts with spaces match
whole words from their beginning; those of other scripts match anywhere.
"""

from typing import Final

_MARKETS: Final = (
    # English
    r"ideas|an idea|watch ?lists?|opportunit(?:y|ies)|interesting|set-?ups|allocat\w*|diversif\w*",
    r"briefing|sectors?|narratives|screen(?:er)?\b|what(?:'s| is) (?:hot|trending|moving)",
    r"what (?:should|could|can|would) (?:i|we|you) (?:look at|buy|trade|watch|own|focus|pick|"
    r"invest)",
    r"(?:which|what) (?:coins?|tokens?|stocks?|assets?|markets?|names|memes|pairs)",
    r"where (?:should|would|could|do) (?:i|we|you) (?:invest|deploy|put (?:it|"
    r"(?:my|the|this|some) (?:money|cash|capital|funds|savings)))|to work",
    r"(?:split|build|structure|spread|balance) (?:my|a|the|our) (?:portfolio|money|capital|funds)",
    r"(?:own|hold|have|add) (?:some|any|a bit of) (?:gold|silver|oil|stocks|bonds|crypto|memes)",
    # German, Spanish, French, Portuguese, Russian
    r"ideen|aufteil\w*|vorschl[aä]g\w*|empf[ie]+hl\w*|streuen|chancen|was soll(?:te)? ich kaufen",
    r"ideas|recom[ie]+nd\w*|repart\w*|qu[eé] compr\w+|oportunidad\w*|cartera",
    r"id[eé]es|recommand\w*|r[eé]parti\w*|que (?:dois-je )?acheter|opportunit[eé]s",
    r"recomend\w*|o que (?:compro|comprar)|diversific\w*",
    r"что купить|посовет\w*|идеи|распредел\w*|куда вложить",
)
_MARKETS_ANYWHERE: Final = (
    "推荐|推薦|关注|關注|标的|標的|机会|機會|配置|分配|分散|组合|什么币|哪些币|哪个币|热点|板块|买什么",
    "おすすめ|銘柄|何を買|分散|ポートフォリオ",
    "추천|뭐 ?살|어떤 (?:코인|종목|주식)|종목|분산",
)

_STYLE: Final = (
    r"what do you (?:think|make|say)|(?:your|a|any) (?:view|take|opinion|thoughts?|read) (?:on|of)",
    r"analy[sz]\w+|analysis|bull\w* (?:and|or|vs\.?|case)|bear case|thesis|deep[- ]dive|outlook",
    r"worth (?:buying|it|a|owning|holding|the)|should i (?:buy|short|long|go long|go short)",
    r"why (?:is|are|did|has|have|does)|what(?:'s| is| are) (?:driving|behind|moving)",
    r"(?:over|under)valued|fundamentals?|technicals?|breakout|catalysts?|compare|convincing",
    r"(?:rate|judge|check|review) (?:this|my|the) (?:trade|idea|set-?up|plan)|an? entry|entries",
    r"looks? (?:good|bad|healthy|strong|weak)|chart (?:of|look)|bullish|bearish|good (?:buy|trade)",
    r"was h[aä]ltst|meinung|analysier\w*|lohnt|einsch[aä]tz\w*|warum (?:steigt|f[aä]llt)",
    r"aussicht\w*",
    r"qu[eé] (?:opinas|piensas|te parece)|analiza\w*|an[aá]lisis|vale la pena",
    r"por qu[eé] (?:sube|baja)",
    r"(?:que|qu'en) penses|ton avis|vaut (?:le coup|la peine)|pourquoi (?:monte|baisse)",
    r"o que acha\w*|vale a pena|an[aá]lise",
    r"что думаешь|что думаете|анализ\w*|стоит ли|почему (?:растет|растёт|падает)",
)
_STYLE_ANYWHERE: Final = (
    "怎么看|怎麼看|分析|值得买|值得買|值得投|走势|走勢|看法|看好|看涨|看跌|基本面|技术面|观点|为什么涨|为什么跌",
    "どう思|どう見|分析|見通し|買うべき|なぜ上|なぜ下",
    "어떻게 생각|어때|분석|전망|살까",
)

_FREQUENCY: Final = (
    r"how (?:often|frequently|many trades)|rebalanc\w+|dca|dollar[- ]cost|over-?trad\w+",
    r"day[- ]?trad\w*|swing[- ]?trad\w*|scalp\w*|(?:trades?|times) (?:a|per) (?:day|week|month)",
    r"trading (?:week|day|schedule|routine|plan)|plan my|trade (?:less|more) often",
    r"every (?:day|week)",
    r"an hour|weekends?|part[- ]time|full[- ]time",
    r"wie (?:oft|h[aä]ufig)|umschicht\w*|sparplan|wie viele trades",
    r"cada cu[aá]nto|rebalance\w*|con qu[eé] frecuencia|cu[aá]ntas (?:veces|operaciones)",
    r"[aà] quelle fr[eé]quence|combien de (?:fois|trades)|r[eé][eé]quilibr\w*",
    r"com que frequ[eê]ncia|как часто|сколько сделок|ребаланс\w*",
)
_FREQUENCY_ANYWHERE: Final = (
    "多久.{0,4}[调調]|频率|頻率|调仓|調倉|定投|短线|波段|日内|过度交易|每[天周月].{0,3}(?:交易|几次)",
    "頻度|積立|何回|デイトレ",
    "얼마나 자주|적립식|단타|스윙",
)

_FOMO: Final = (
    r"every(?:one|body)|all my friends|(?:i|we) missed|missing (?:out|this|the)|fomo|left behind",
    r"too late|ape|apeing|aping|pump(?:s|ed|ing)|parabolic|moon(?:s|ing)?|still time|last chance",
    r"(?:broke|breaks|breaking|hit|hits|new|at) (?:an? |its |the )?(?:new )?(?:all[- ]time high|"
    r"ath)",
    r"get in|jump in|buy in now|chas(?:e|ing)|green candles?|sidelines|without me",
    r"going (?:nuts|crazy|wild|viral|vertical)|(?:like|went) crazy|skyrocket\w*",
    r"explod(?:es|ed|ing)",
    r"alle kaufen|einsteigen|zu sp[aä]t|verpass\w*|aufspringen|hinterher\w*|schie[sß]+t hoch",
    r"a tiempo|todos (?:est[aá]n )?compr\w+|me lo perd[ií]|(?:demasiado )?tarde|subirme",
    r"trop tard|tout le monde ach[eè]te|raté|encore temps|tarde demais|todo mundo",
    r"все покупают|опозда\w*|упусти\w*|поздно|успею",
)
_FOMO_ANYWHERE: Final = (
    "都在[买買]|追(?!踪|蹤)|上车|上車|错过|錯過|踏空|来得及|來得及|暴涨|暴漲|冲进|起飞",
    "乗り遅れ|今から.{0,4}間に合|みんな.{0,4}買|爆上げ",
    "늦었|늦은|다들|놓쳤|놓친|급등",
)

_FUD: Final = (
    r"crash\w*|panic\w*|scared|afraid|fears?|fearful|worr(?:y|ied|ying)|nervous|anxious|stress\w*",
    r"hack(?:ed|s)?|exploit\w*|rug(?:ged|pull)?|scams?|collaps\w*|depeg\w*|bankrupt\w*|insolven\w*",
    r"dump(?:s|ed|ing)|bear market|(?:go|going|move|run) to cash|sell (?:everything|it all|all)",
    r"get (?:me )?out|down \d+ ?%|bleed\w*|blood\w*|can'?t sleep|lawsuit|delist\w*|is .{0,20}safe",
    r"rumou?rs?|plung\w+|tank(?:s|ed|ing)|nuk(?:e|ed|es|ing)|falling knife",
    r"lost (?:a lot|half|everything)",
    r"bricht .{0,20}ein|absturz|st[uü]rzt|angst|panik|alles verkaufen|sorgen?|einbruch|pleite",
    r"miedo|p[aá]nico|vendo todo|vender todo|desplom\w*|ca[ií]da|quiebra|me preocupa",
    r"effondr\w*|peur|panique|vends tout|tout vendre|krach|chute\w*|inquiet\w*",
    r"medo|p[aâ]nico|vendo tudo|despenc\w*|паник\w*|обвал\w*|страшно|боюсь|падает|продать вс[её]",
)
_FUD_ANYWHERE: Final = (
    "大跌|暴跌|崩盘|崩盤|割肉|害怕|恐慌|慌|跑路|被盗|爆雷|归零|全部卖|全部賣|全卖|清仓|担心|擔心|熊市|黑客",
    "暴落|怖|パニック|全部売|不安|ハッキング",
    "폭락|무서|패닉|다 ?팔|전부 팔|불안|해킹|하락장",
)

_PATIENCE: Final = (
    r"hold(?:ing)?|take (?:some |my |the )?profits?|some off|wait(?:ing)?|pull-?backs?|the dip",
    r"(?:im)?patien(?:t|ce)|exit(?:ing)?",
    r"when (?:would|should|do|will) (?:i|you|we) (?:sell|close|exit)",
    r"let (?:it|them|this) run|close it|keep (?:it|this|them|holding)",
    r"cut (?:the |my |this )?loss\w*",
    r"flat|sideways|nothing (?:happens|is happening|moves)|bored?|boring|too early|sell now",
    r"lock in",
    r"time to (?:sell|exit|close|leave)|how long should",
    r"halten|gewinne? mitnehmen|warten|abwarten|aussteigen|geduld\w*|wann .{0,20}verkauf\w*",
    r"espero|esperar|aguant\w*|mantengo|mantener|vendo ya|ganancias|beneficios|cu[aá]ndo vend\w*",
    r"attend\w*|garder?|prendre (?:mes|les) (?:gains|profits)|quand vendre",
    r"espero|segur(?:o|ar)|realizar lucro|держать|ждать|подожд\w*|фиксир\w*|когда прода\w*",
    r"терпени\w*",
)
_PATIENCE_ANYWHERE: Final = (
    "止盈|止损|止損|拿着|拿住|持有|等等|等待|再等|耐心|回调|回調|什么时候卖|何时卖|要不要卖",
    "利確|損切|待つ|待つべき|持ち続け|ホールド|いつ売",
    "기다|홀딩|익절|손절|언제 팔|존버",
)

_GREED: Final = (
    r"\d+ ?x|leverage\w*|doubl(?:e|ing) (?:my|the|our|down|up|it)|all[- ]in|everything i have",
    r"how (?:big|large|much size)|position siz\w+|bigger|add (?:more|to)|adding to",
    r"let (?:it|them) run",
    r"some off|profit targets?|more size|max(?:imum)? (?:size|leverage|position)|go big|pyramid\w*",
    r"risk more|size up|more margin|the house|life savings|get rich|make (?:me )?a million",
    r"hebel\w*|verdopp\w*|nachkauf\w*|aufstock\w*|alles rein|gr[oö][sß]+er",
    r"apalanc\w*|dobl(?:o|ar)|duplic\w*|m[aá]s grande|todo dentro|levier|doubl(?:e|er)|tout miser",
    r"alavanc\w*|dobr(?:o|ar)|плеч[оа]\w*|удво\w*|на вс[её]|докупить|x \d+",
)
_GREED_ANYWHERE: Final = (
    "杠杆|槓桿|倍|加仓|加倉|翻倍|全仓|全倉|梭哈|重仓|满仓|目标价|目標價",
    "レバ|倍|全力|買い増し|ナンピン",
    "레버리지|\\d{1,4}배|물타기|몰빵|추가 매수|두 배",
)

WORDS_BY_DIMENSION: Final = {
    "frequency": (_FREQUENCY, _FREQUENCY_ANYWHERE),
    "markets": (_MARKETS, _MARKETS_ANYWHERE),
    "style": (_STYLE, _STYLE_ANYWHERE),
    "FOMO Index": (_FOMO, _FOMO_ANYWHERE),
    "FUD Immunity": (_FUD, _FUD_ANYWHERE),
    "Patience Level": (_PATIENCE, _PATIENCE_ANYWHERE),
    "Greed Index": (_GREED, _GREED_ANYWHERE),
}
"""By dimension: words of scripts with spaces, then words of scripts without."""

TOOL_WORDS: Final = (
    (
        # Orders begin with a verb; a question for figures names them.
        r"^(?:please |can you |pls )?(?:buy|sell|long|short|close|cancel|swap|convert|transfer|"
        r"send)",
        r"^(?:please |can you |pls )?(?:show|list|rename|clear|remove|delete|export|connect|open|"
        r"pay)",
        r"^(?:please |can you |pls )?(?:increase|reduce|move|raise|lower|withdraw|deposit|bridge)",
        r"^(?:set|put|place|add) (?:an? |my |the )?(?:alert|stop|limit|take[- ]profit|order|bid|"
        r"ask)",
        r"^(?:explain|define|translate|summari[sz]e|who|what time|when is|when was|how do i|hi|"
        r"hello)",
        r"^(?:the |current )?(?:price|market cap|volume|funding(?: rate)?|gas|open interest|"
        r"tvl) ?(?:of|on)",
        r"price ?\?|what does .{0,40} mean(?! for)|what(?:'s| is| was| were| are) (?:the|my|"
        r"our) (?:current |last )?"
        r"(?:price|balance|high|low|all[- ]time|volume|market cap|funding|profit|pnl|p&l|loss|"
        r"fees?|tvl)",
        r"trading at|how much (?:is|was|did|does|do|are|have)|how long have",
        r"what leverage do i have",
        r"which wallet|failed|error|bug",
        r"wie steht|kurs|preis|zeig\w*|kaufe?|verkaufe|storniere|schlie[sß]+e",
        r"cu[aá]nto (?:vale|cuesta)|precio|mu[eé]stra\w*|compra|vende|cancela|cierra|saldo",
        r"prix|combien (?:vaut|co[uû]te)|montre\w*|ach[eè]te|vends \d|annule|ferme",
        r"цена|покажи|сколько стоит|купи|продай|закрой|курс",
    ),
    (
        "多少钱|多少錢|价格|價格|查一下|查询|查詢|涨跌幅|资金费率|撤销|撤單|帮我(?:买|卖|平)|行情|余额",
        "価格|いくら|見せて|残高|注文",
        "가격|시세|보여|잔고|취소",
    ),
)
"""Words of a message that asks for figures, gives an order, or wants help with the program."""

ADVICE_WORDS: Final = (
    (
        r"should|worth|think|opinion|recommend\w*|suggest\w*|advice|advise|ideas?|too late",
        r"what now",
        r"is it time|good time|would you|makes? sense|too (?:much|big|early|risky)|scared",
        r"worried|panic",
        r"soll(?:te)?|lohnt|meinst|h[aä]ltst|deber[ií]a|opinas|recom[ie]+nd\w*|miedo|a tiempo",
        r"penses|dois|devrais|peur|стоит ли|думаешь|совет\w*|vendo (?:todo|ya)|\w ou \w",
        r"or (?:not|wait)",
    ),
    (
        "要不要|该不该|應該|应该|是不是|建议|推荐|值得|怎么看|来得及|害怕",
        "べき|どう思|おすすめ|怖",
        "할까|살까|팔까|추천|생각",
    ),
)
"""Words of a message that asks what to do, whatever figures it names beside."""
