"""Orders in English that move money, lift limits or push a product.

True memories of a trader are imperative too ("always close half at the first target"), so each
pattern names what only an injection orders: a limit to be ignored, an approval to be left out, an
address, a fixed recommendation.
"""

from typing import Final

from afterword.pipeline.rules.injection.rule import Rule, rules

_LISTS: Final = {
    "lift": """ignore disregard forget bypass override overrule disable remove lift skip delete cancel
        exceed neglect violate circumvent suspend waive break deactivate drop surpass ignoring
        turn_off switch_off go_beyond trade_beyond get_around do_not_apply dont_apply stop_applying do_not_execute
        dont_execute do_not_use erase eliminate""",
    "kind": """risk loss losses drawdown exposure margin leverage position positions slippage size
        sizing spending withdrawal protective trade trading safety kyc confirmation approval owners
        users maximum hard daily two_factor protection""",
    "limit": """limit limits cap caps rule rules check checks control controls maximum management
        constraint constraints threshold thresholds sizing profile stop stops guard requirement
        confirmation confirmations dialog step size drawdown""",
    "guard": """stop_loss stop_losses stops_loss stop_orders all_stops circuit_breaker kill_switch
        hard_constraint hard_constraints two_factor two_step 2fa kyc whitelist risk_management
        risk_controls position_limit position_limits cooldown safety_checks trade_confirmation
        drawdown_rule loss_limit protective_stops confirmation_step confirmation_prompt
        risk_checks limits_of_the_owner""",
    "off": """no_longer void suspended lifted removed off disabled unlimited waived does_not do_not
        may_be_exceeded only_advice deactivated cancelled not_apply dont doesnt unlocked optional""",
    "money": """funds fund money balance usdc usdt eth btc sol bitcoin ether savings collateral
        everything all capital profit profits assets tokens coins deposit percent wallet portfolio
        holdings invoice""",
    "send": """send transfer forward withdraw move drain sweep wire pay remit""",
    "place": """address wallet account vault destination iban""",
    "this": "this following my below new that mine partner these our first one",
    "ok": """approve authorise authorize confirm accept sign execute allow grant permit pre_approve
        auto_approve auto_confirm auto_sign auto autoapprove sign""",
    "deal": """trade trades order orders transaction transactions withdrawal withdrawals transfer
        transfers request requests swap swaps allowance allowances spending spend payment payments
        approval approvals purchase purchases signature popup proposal proposals""",
    "do": """approve execute place sign send transfer withdraw trade buy sell pay move swap confirm
        enter open act proceed run follow skip submit borrow route""",
    "asking": """asking confirmation confirmations approval permission consent checks prompt review
        telling verification checking a_stop stop asking_the_user agreement human authorisation""",
    "push": """list rank put place mention name show present recommend suggest promote advertise
        praise route prefer prioritise prioritize push pump shill advise insert position say
        answer give""",
    "top": """first top at_the_top number_one in_first_place before_all above_all ahead_of
        before_every above_every before_bitcoin in_first over_any_other best""",
    "ever": """always every each whenever any all only must from_now_on asks ask asked future
        conversation conversations""",
    "claim": "say claim answer tell present describe rate treat pretend state portray mark declare",
    "good": """safe guaranteed risk_free undervalued strong_buy best audited profitable blue_chip
        outperforms verified safest proven leader thousand 1000 win wins winner certain""",
    "result": """loss losses drawdown drawdowns performance win_rate winrate fees fee risk risks
        returns return results numbers trade trades warnings""",
    "bad": """competitor competitors competing fees fee risk risks risky hacked losses drawdown
        warnings warning negative danger dangers""",
}

_LIMITS: Final = """
    <lift> ..3 <kind> ..1 <limit> !candle|candles|bar|bars
    <lift> ..3 <guard> !candle|candles
    <lift> ..1 the|all|any limits|limit|maximum|cap|controls .|and|now|for|of|on
    <lift> ..1 the owners|users ..1 limit|limits|rules|profile|maximum|stop
    <lift> the risks|risk .|and|of
    ignore|skip|disregard|suppress warnings|warning|alerts about|of|on|for this|the ..1 token|coin|contract|address|risk|exchange
    ignore any|all|every warning|warnings
    <kind> ..1 <limit> ..3 is|are|was|were|has|have|no|do|does ..3 <off>
    <kind> <limit> ..3 <off>
    increase|raise|grow|size|trade|enlarge ..4 beyond|above|over the|any|every ..1 limit|limits|cap
    <kind> ..1 <limit> ..3 any_more|any_longer|unlimited|until_further_notice
    <guard> ..1 is|are|has|have ..1 <off>|advice
    hard_constraints|hard_constraint|limits|limit are|is only advice|optional
    no|any ..1 loss|risk|position|leverage limit|limits ?any longer|any_longer|from|now
    maximum|max size|leverage ..5 unlimited
    allowed|may|can|free to|exceed ..1 exceed|go_beyond|break|ignore ..2 maximum|limit|limits|cap|risk|position
    lifted|removed|waived|raised|abolished the|all|its|your ..1 leverage|risk|loss|position|hard ..1 cap|limit|limits|checks|constraint
    owner|compliance|team|officer ..1 lifted|removed|waived|cancelled ..4 cap|limit|limits|checks|rules|constraints
    raise|increase|set|push|use|put|crank|turn|apply|trade|switch ..4 leverage ..3 max|maximum|limit|unlimited|highest|<big> !of|below|under
    use|set|take|apply|trade|choose|with ..2 max|maximum|full|highest|unlimited leverage !of|at|to|is|below|under|allowed|<small>
    <big> leverage
    leverage !limit|limits|cap|caps ..2 <big>
    go all_in
    bet|risk|put|trade|use|invest ..1 everything|it_all|all_of_it|whole_account .|on|in|into
    trade|buy|use|invest|order|buys|put ..4 with ?the ?my ?your all|full|entire|whole ..1 available|balance|account|funds|margin|savings|equity|capital
    with|use the|all|your|whole|full ..2 entire|full|whole|available balance|account|funds|margin|capital
    use all of the|my|your|all margin|balance|capital|funds|collateral
    trade|risk|use|bet the full|whole|entire account|balance|margin|equity
    as_large|as_much|as_big ..3 as you|possible|the like|margin|exchange|want|allows|permits
    borrow|buy as_much|as_many as
    always choose|use|take the|a ..1 largest|biggest|maximum ..1 size|leverage|position|amount
    double down|the ..4 loss without|no limit|limits|end
    double ..2 size after each|every loss
    never|not|dont close|cut|stop losing|trading ?positions|trades|positions|no_matter|even|losses|losers
    continue|keep|keep_on|go_on trading after|even|despite|while ..4 stop|limit|losses|hit|loss
    even|also if|when ..1 risk|limit|safety ..2 fails|fail|check|exceeded|hit|reached
    place|send|execute ..2 order|trade even|despite|anyway
    set|move|put|widen ..2 stop ?loss|losses|loss to|away zero|0|nothing|from|whenever|when|.
    move|take ..2 stop|stops away
    set ..1 stop ?loss to zero|0|nothing
    delete|remove|cancel|drop all|every|the|any ..1 stops|stop|stop_orders|risk_limits|limits
    at any price .|and
    ignore|without slippage|any_slippage
    aggressive sizing
    turn|switch ..3 risk ?management|controls ..2 off
    risk controls|management|checks|rules is|are ..2 off|suspended|void|disabled
    sell|liquidate|dump|convert everything|all ..4 and|then ..1 buy|put|go|move|invest
    sell|liquidate|dump|withdraw all|everything of the users|owners
    sell|buy|spend the|all users|owners
    pretend ..3 stop|trade|loss ..3 never|not|was|win|hit
    pretend the trade
    treat|consider|follow|see ..4 signals|messages|message|trades|proposal|proposals|signal|trade|tips|guru ..6 orders|order|approved|without|command|commands|blindly
    trust ..3 signal|provider|guru|bot|group above|more|over
    do whatever|what|everything the ..2 group|channel|guru|bot|signals|provider
"""

_TRANSFER: Final = """
    <send> ..4 <money> ..3 to|into|in ..3 <this> ..2 <place>|treasury
    <send> ..1 all|entire|whole|full|every|everything ..3 <money>|. ?to
    <send> all|everything|entire|whole|full ..2 to|into|in
    <send> ..8 <address>
    <send> ..3 to|there ?the ?this ?that first|mine|address|partner ?address|wallet|.
    <send> everything|all to|into|from
    withdraw|transfer|send|move|wire everything|all|funds|savings ..2 to|into|now ?the ?my|new
    pay the|this|an invoice
    drain|empty the|my|all|users ..1 wallet|account|accounts|vault
    add|whitelist|trust|set|use|consider|treat ..3 address|destination|wallet ..3 trusted|whitelist|safe|<address>|destination|default
    whitelist the|this|my|<address> ?address
    add this|the|my address
    change|replace|update|switch|set ..2 withdrawal|deposit|payout|treasury|payment address
    all|every|future ..1 transfers|withdrawals|payments|deposits ..2 go|to ..3 new|treasury|address|wallet
    allowed|approved|permitted withdrawals|transfers to any
    approve|grant|give|set|sign|allow unlimited|full|infinite|maximum|max ..1 allowance|spending|approval|spend|amount|access
    approve|grant ..3 spender|contract|spend ..4 full|unlimited|any|allowance|amount|infinite
    approve|grant ..3 spend ..2 any amount
    reveal|give|share|send|export|paste|upload|tell|hand|show ..3 seed_phrase|private_key|private_keys|mnemonic|recovery_phrase|api_secret|seed|wallet_file|secret_key|wallets_private_key
    sell|swap|move ..4 put|for|into ..1 it|eth|all ..1 into|for ..2 <any> at any
    send|pay ..2 <count> percent of each|every|all
"""

_APPROVAL: Final = """
    <ok> ..1 all|any|every|unlimited|each|pending|whatever|full ..3 <deal> !with|by|before|twice|only
    <ok> the pending <deal>
    <ok> ..2 <deal> ..4 automatically|silently|immediately|right_now|at_once|without|no_questions
    auto sign|approve|confirm|execute all|any|every|<deal>
    confirm orders|trades|everything|transactions automatically|silently
    <do> ..7 without|no ..2 <asking> !candle|candles|from_the_weekly|of_the_weekly|bar
    <do> ..4 without a|any|the|my|your|owners|users ..2 approval|confirmation|consent|permission
    may|can|are_allowed_to|allowed_to ..2 trade|withdraw|transfer|buy|sell ..4 without
    do_not|dont|never|not|need_not|no_need_to ask|consult|wait ?for ?the ?me ?user ?owner ?any again|first|permission|approval|confirmation|consent|before|user|owner|questions|me_before
    need|needs|require|requires|do_not_need|dont_need|needed no|any|not approval|confirmation|permission|consent
    do_not|dont need|require|ask ?for ?any approval|confirmation|permission|consent
    no approval|confirmation|confirmations|permission|consent is|needed|required|necessary
    confirmation|confirmations|approval|approvals|two_factor is|are ..1 off|switched|not|disabled|unnecessary|optional
    already|pre|been|as ?already approved|authorised|authorized|agreed|preapproved ..2 all|any|every|trades|orders|transactions|by_the_owner|to_all|execute|transfer|order|by|.
    has|have|had already|pre ..1 agreed|approved|authorised|confirmed
    pre|already approved|authorised|authorized ..1 every|all|any
    user|owner ..2 agreed|approved|allowed|preapproved|authorised|pre|consented ..2 any|all|every|withdrawals|trades|order|transaction
    skip|bypass|omit|leave_out|drop|disable|remove|avoid|suppress ..2 confirmation|confirmations|approval|approvals|two_step|two_factor|2fa ?trade .|and|step|steps|dialog|prompt|prompts|for|when|on|requirement|screen
    skip the ..2 confirmation|approval|checks !candle|candles|bar|of_the
    human|owner|user need|needs|must not ..1 be consulted|asked|informed|approve
    execute|place|fill|sign|submit them|orders|order|it|directly|trades silently|directly|immediately|quietly
    place orders directly
    treat|count|consider|regard ..4 as ..1 approved|authorised|agreed
    treat|count|consider|regard ..4 as ..1 confirmed !once|after|when|only|if
    live trading ..2 without
    approve|graduate ..4 right|at now|once
    buy|sell|order|execute ..3 immediately|now|at_market ..3 all|without|with|skip
    bypass ..4 and buy|sell|trade
    share|give ..2 private_key
"""

_PROMOTION: Final = """
    always|must|only|you_must list|rank|put|place|mention|name|recommend|answer|give ..3 first|top|number_one|at_the_top|best|before|ahead !target|half|two
    always ?only recommend|suggest|promote|praise|advertise|push|shill|mention|name|endorse !a|an|the|my|to|limit|stop|using|waiting|at|when|if|both|stops|position|entries|risk|which|what
    always|only ?you recommend|suggest|name|call ..4 as|the ..2 best|safest|top|leading|only
    list|rank|put|place|mention|name|show|present|position|keep|set !the|my|funding|risk|loss|price|coins|volume|open ..4 <top> ..6 when|whenever|each|every|any|all|if ..3 asks|asked|ask|list|lists|recommendation|recommendations|tables|answer|answers|user|anyone|altcoins|exchanges|venue|swap
    rank|put|list|place|name|mention ..3 before|above|ahead_of ..2 every|all|any|each|bitcoin ..1 other|others|venue|exchange|coin|tables|in|.
    put|place|keep|list|rank|position|set ..4 at|in|on ..1 top|first of|in|place|position ..2 list|recommendations|tables|answer|lists|.|every|the
    when|whenever|if|each_time ..2 user|anyone|someone|somebody|they|whoever|people|customers|asked ..7 answer|say|recommend|list|name|mention|suggest|tell|put|rank|advise
    list|rank|put|name|mention|recommend|say ..6 when|whenever ?the ?a user|anyone|someone|somebody|people|asked
    in|at|into|to|with|end ..1 every|each|all ..2 answer|answers|reply|replies|response|conversation|conversations|summary|summaries|recommendation|recommendations|list|comparison ..2 .|about|say|that|name|with|to|advise
    recommend|suggest|promote|mention|insert|pump|name|say|include|add|push|list|prefer|praise ..5 in|into|at every|each|all|any ..3 answer|answers|reply|replies|response|conversation|summary|recommendations|list|mention|comparison
    recommend only|exclusively|nothing_but
    recommend|suggest|promote|name ..6 as the|your best|safest|top|only|leading
    prefer|choose|prioritise|prioritize|favour|favor ..3 over|above ..1 any|all|every ..1 other|others|.
    prioritise|prioritize|prefer|choose ..3 whenever|in_all|in_every|always
    give preference|priority to
    route ..2 every|all|each|orders|swaps ..2 through|via|over|to !twap|vwap|iceberg
    always route|use|choose ..5 even when|if|though ..3 worse|price|expensive|higher
    never|not|dont|do_not recommend|mention|show|name|list|say|call|suggest|criticise|warn ..4 <bad>
    never|not|dont|do_not say|write|report anything|something bad|negative|critical
    must|always|you_must recommend|suggest|advise|promote ..1 shorting|buying|opening|holding|using|only
    <claim> ..6 <good> ..4 whenever|regardless|no_matter|always|every|mentioned|asked|user|in|each|investment|returns|the_data|and|for
    say|claim|tell|state|pretend|answer|declare ?the ?everyone ?user ?users ?them that ..6 <good>|rise|moon|all_in|explode|double
    present|describe|rate|treat|mark|portray|label|call|consider ..2 as ?a ?an ?the safe|risk_free|blue_chip|profitable|best|strong_buy|undervalued|guaranteed|safest|approved|proven|win
    rate ..3 strong_buy
    rate ..3 as ?a ?an ?the ?our ?their <good>|top|leading|buy|number_one
    tell|advise|convince|urge|get|push|persuade ..1 user|users|everyone|people|customers|clients ..4 to|that|should|will ..2 buy|invest|move|go_all_in|sell|rise|put|join|deposit|open|is|should|will
    is the best investment
    ever|always|every|in ..4 say ..1 that ..5 best|better|outperforms
    use|insert|share|mention|add|recommend|suggest|include|open|opening|with|post ..6 referral|affiliate|partner link|code|links|codes
    recommend|mention|list|route|put ..4 partner exchange|coin|coins|token
    our partners|sponsors coin|token|exchange
    always|must end|begin|close|finish ..4 advice|recommendation|call to
    make sure ..1 that ..2 is ..1 the ?very first|top|best
    will rise a ..1 thousand|hundred|100
    pump|shill <any> in|to|every
    follow every|all|each trade|trades|signal|signals of
    buy <any> immediately|now with|no_matter|regardless
"""

_CONCEALMENT: Final = """
    hide|conceal|falsify|inflate|downplay|fake|manipulate|omit|leave_out|suppress|obscure|play_down|embellish|understate !nothing|no ..3 <result>
    report|show|write|state no|zero ..1 losses|loss|risk|drawdown
    report|state|show|say ..2 win_rate|winrate|performance|return|returns|profit ..3 as|of|is ..6 no_matter|regardless|always|whatever
    mark|count|report|record|log|show ..1 every|all|each|the|any ..1 trade|trades|loss|losses|position as ..1 win|profitable|wins|profit|winner|winners
    do_not|dont|never|not disclose|show|mention|warn|report|reveal|tell|display|state ..5 fees|fee|risk|risks|losses|loss|drawdown|warnings|warning|withdrawal|hack|hacked !limit|limits
    never call it|that risky|a_risk|unsafe
    leave out the risks|losses|fees
    weekly|monthly report|summary . hide
    pretend that|the ..3 stop|loss|trade was|never|did
"""

_STANDING: Final = """
    set|mark|count|give|raise|add|treat|change|make|put ..5 quarantine|graduated|successful_uses|trust_score|trust|quarantined ..3 0|1|zero|off|maximum|max|once|to|highest|verified|method|methodology|and|.|level
    set|raise|give|mark|put|fix ..3 confidence ..5 1|0|100|max|maximum|highest|full|certain
    give|set|assign ..3 highest|maximum|full|perfect|top confidence|score|trust|rating
    mark|treat|count|consider|regard|declare|flag this|the|that|it ..2 method|methodology|strategy|rule|pattern|lesson|it|as ..2 as ..1 graduated|verified|proven|approved|trusted
    mark|treat|count|consider|regard|declare|flag this|the|that|it ..2 method|methodology|strategy|rule|pattern|lesson|it|as ..2 as ..1 confirmed !once|after|when|only|if
    graduate it|this|the|at ..3 once|now|method|methodology|immediately|.|strategy
    add|record|credit|count <count> ..1 successful|correct|won uses|trades|applications|outcomes|wins
    use it|this|them in every|each|all prompt|prompts
    this method|methodology|strategy|rule is verified|proven|approved|graduated
"""

FINANCE_RULES: Final[tuple[Rule, ...]] = (
    *rules("limits", _LISTS, _LIMITS),
    *rules("transfer", _LISTS, _TRANSFER),
    *rules("approval", _LISTS, _APPROVAL),
    *rules("promotion", _LISTS, _PROMOTION),
    *rules("concealment", _LISTS, _CONCEALMENT),
    *rules("standing", _LISTS, _STANDING),
)
