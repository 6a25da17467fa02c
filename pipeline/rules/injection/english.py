"""Orders in English that no memory has a reason to give: override, role, reveal, secrecy, tools."""

from typing import Final

from afterword.pipeline.rules.injection.rule import Rule, rules

_LISTS: Final = {
    "drop": """ignore disregard forget neglect discard override overrule bypass omit abandon cancel
        violate disobey break skip leave overwrite delete erase drop reset revoke rewrite replace suspend
        remove disable set_aside pay_no_attention_to take_no_notice_of throw_away leave_behind
        do_not_follow dont_follow stop_following never_follow no_longer_follow do_not_obey dont_obey
        stop_obeying never_obey do_not_listen_to dont_listen_to stop_listening_to do_not_use dont_use
        dont_have_to_obey dont_have_to_follow need_not_follow need_not_obey go_against get_rid_of
        free_yourself_from break_free_from change turn_off switch_off lift deactivate ignoring
        disregarding forgetting overriding bypassing""",
    "which": """previous prior earlier above preceding former initial original all any every each
        your the_system system safety developer developers existing current these those content
        security moderation everything hidden old past foregoing other ethical""",
    "orders": """instructions instruction rules rule guidelines guideline directives directive
        directions orders commands prompt prompts policy policies constraints restrictions
        programming training guardrails safeguards safety filters filter guidance protocols protocol
        assignment context conversation censorship moderation configuration ethics message messages
        settings""",
    "before": """above before earlier previously you_were_given you_have_been_given you_were_told
        given_to_you set_by that_came given_earlier placed_on of_the_system from_your you_received
        you_got i_gave_you you_had so_far that_bind in_your""",
    "all": "everything anything whatever all_that all_of what all",
    "told": """you_were_told you_have_been_told you_learned you_have_learned you_know so_far
        up_to_now came_before i_said_before was_said_before you_had you_were_taught""",
    "show": """show reveal print output repeat display tell give leak dump expose return copy recite
        write read spell translate summarise summarize share disclose list paste describe say
        display provide quote reproduce extract""",
    "own": """your system hidden initial secret original full complete entire confidential internal
        developer first exact""",
    "prompt": """prompt prompts instructions instruction system_message guidelines configuration
        rules directives context_window programming developer_message""",
    "as": """you_are youre act_as act_like pretend_to_be pretend_you_are pretend_that_you
        pretend_you simulate behave_as behave_like imagine_you imagine_that_you roleplay_as
        role_play_as become assume_the_role play_the_role roleplay your_name_is you_will_be
        you_will_pretend you_will_act you_will_now from_now_on you_will act_as_if as_an_ai
        going_to_act play a_game world answer respond reply speak talk""",
    "without": """without no not_bound_by free_of free_from no_longer_bound not_bound not_limited_by
        not_restricted has_no have_no had_no breaking ignoring any_moral_or""",
    "rules": """rules limits restrictions filters filter ethics ethical morals moral guidelines
        policy policies constraints censorship boundaries laws moderation safety limitations
        content_policy restraint conscience warnings""",
    "free": """unrestricted uncensored unfiltered jailbroken jailbreak amoral unlimited_ai dan evil
        lawless""",
    "user": "user users owner human operator anyone anybody them reader customer client",
    "hide": "tell mention inform reveal show report disclose notify alert let talk say warn",
    "secret": """password passwords credentials credential api_key api_keys seed_phrase seed
        private_key private_keys secret_key secret_keys access_token tokens environment_variables
        keys mnemonic recovery_phrase conversation chat_history memory_file wallet_file user_data
        users_data messages secrets api_secret user's_email email""",
    "give": """send forward post upload append email exfiltrate leak export paste share give output
        tell print reveal dump expose hand list""",
    "whose": """the your all stored admin secret user users wallets their every me my hidden us api
        private seed users' secret_key""",
    "void": """revoked cancelled canceled void obsolete suspended lifted outdated annulled deleted
        disabled removed replaced over finished off no_longer not fake ended superseded changed
        nothing invalid ignored""",
    "mode": """developer debug admin administrator god root sudo dan jailbreak maintenance
        unrestricted unlimited uncensored evil""",
}

_OVERRIDE: Final = """
    <drop> ..3 <which> ..2 <orders>
    <drop> ..2 <orders> ..3 <before>
    <drop> ..1 <all> ..4 above|before|earlier|prior|previous|preceding .|and|this|that|now|but|it|say|then
    <drop> ..1 <all> ..3 <told>
    <drop> the|this|what above|previous|prior|preceding|foregoing|came|comes|stands .|and|now|text|before|this|prompt|message
    <drop> what|all|everything came|comes|stands|is before|above
    <drop> the prompt|guidelines|guardrails|content_policy|rules_set
    <drop> your|its ..1 persona|role|goal|task|assignment|identity|character|programming|guidelines|rules|instructions|memory|training|creators|developers|purpose
    drop|remove|lift|disable|turn_off|switch_off all|any|your ..1 restrictions|filters|censorship|safeguards|guardrails|limitations|filter|moderation
    listen|obey|answer to|only only|me|alone ?alone and|not|instead
    do_not|dont|never|not listen|obey to ?your creators|developers|system|owner
    your|previous|earlier|prior|all|safety|system|these|my|initial ..2 instructions|rules|prompt|guidelines|directions|restrictions|directives|guardrails|configuration|programming|policies ..1 are|is|have|has|were|no|do ..2 <void>
    your|his|its ..1 instructions|rules|prompt|guidelines|restrictions|programming|guardrails|limits are|is|have|has|were ..3 <void>
    everything|all before|above this ..6 ignored|forgotten|void|fake|test
    nothing in your ..3 applies|counts|matters
    new|updated|real|true|actual|additional instructions|orders|directive|directives|commands|system_prompt :|follow|begin|below|are|is
    new task|instruction|rule|order : ..2 reply|say|answer|leak|ignore|output|print|send|reveal
    your|the new|real|true task|role|job|instructions|goal|identity|prompt|purpose is|are|begin|: ?to
    your|the new|real|true instructions|orders ..2 follow|begin|below|come
    supersede|supersedes|outrank|outranks|overrides|override|replaces|replace ..3 instruction|instructions|prompt|rules|system|others
    instructions|commands|words|rules|orders ..3 priority|precedence|authority ?than over|than|.
    higher|highest|absolute|top priority|authority .|than|over
    as the highest ..1 authority
    whatever|regardless|no_matter ..2 system|policy|owner|prompt|developer ..2 prompt|says|say|rules|instructions|.
    ignore|instead_of ..1 what|answering ..1 the user ..1 says|asks|question|wants|.
    opposite of what the|your rules|instructions|policy
    instead_of answering the|any|their question
    only the|these|my commands|instructions|orders|words ..3 count|matter|apply
    obey|serve|comply_with ..1 me|us|text|document|commands|orders|message|block|email|instructions|only
    obey ..2 all|every|only|messages|without|commands|next
    never|not|cannot|dont|always refuse|decline|refuses .|a|any|me|my|to|request|requests|anything
    do|doing anything|whatever|what|everything i|now ..1 say|want|order|ask|command|no|regardless
    comply|agree with all|everything|any|whatever
    you may|can|must|will|should ..1 ?now|also break|ignore|violate|bypass|disobey ..2 rule|rules|policy|instructions|law
    have_permission_to|authorised_you_to|authorized_you_to|allowed_to|you_to ignore|bypass|skip|break ..3 policy|rules|authentication|security|verification|checks
    set|change|rewrite|overwrite|update|modify your ..2 instructions|rules|prompt|programming
    reset|erase|wipe|clear yourself|your ..1 ?and memory|rules|instructions|and|mind
    follow the instructions|orders|commands ..4 instead ?of
    follow mine|me|these|my .|instead|only|rules
    from|of|the ?the system ..3 are outdated|void|obsolete|revoked
    the following text|prompt|message|instructions replaces|replace|overrides
    treat this|the|my ..3 as your|the|a ..1 new|system|highest system|prompt|authority|instructions
    bypass|evade|disable|skip|turn_off|circumvent ..3 safety|security|content|moderation ..1 check|checks|filter|filters|policy|policies|guidelines|warnings|protocols|settings|training|rules
    skip|bypass authentication|verification|authorisation|login .|and
    bypass the login|password|authentication
    neglect|ignore|skip|violate your ..1 policies|policy|guidelines|safety|ethics|rules
    ignore|ignoring|skip|forget my|your|its safety training|rules|warnings|guidelines
    act|behave|answer|go_on as ?if ..3 no|not|without ..2 rules|guidelines|restrictions|exist|prior|limits
    pretend|act|imagine ..5 no|not|without|never ..1 rules|exist|guidelines|restrictions|policies|count
    policies|rules|guidelines do_not|dont|no_longer count|apply|exist|bind|matter ?to .|here|you|any
"""

_ROLE: Final = """
    <as> ..7 <without> ..3 <rules>
    <as> ..7 <free>
    you_are|youre|be|become|as|like|being ..3 free ..4 rules|restrictions|filters|limits|limitations|ai|bot|model
    you have no rules|restrictions|limits|ethics|filters|guidelines|limitations
    have no restrictions|guidelines|filters|ethics
    i have no restrictions
    no rules|restrictions|filters|limits exist|apply|so|from|any
    do anything now
    enter|enable|activate|start|switch_to|in|into|switched_to|your <mode> mode
    <mode> mode on|activated|enabled|now|unlocked|engaged
    stop|no_longer|not being|an|are|act|just ?an ?a assistant|ai|chatbot
    you_are|youre no_longer|not an|a ..1 assistant|ai|bot|model
    no_longer an assistant
    act|pretend|simulate|behave|you_are|youre|be as|to_be|like|now ..2 hacker|terminal|shell|accomplice|criminal|villain|pirate|root
    simulate|be ..2 terminal|shell ..2 with|and root|access|run
    censorship|moderation|filter|filters|guardrails is|are ?turned ?now off|disabled|gone
    answer|reply|respond|speak|talk|say ..4 without ..3 filter|filters|censorship|restrictions|limits|ethics|questioning|restriction
    without|no|not ..3 censorship|moral|ethical limits|restraint|.|or
    reply|answer|respond|speak|act|talk uncensored|freely .
    help|obey|serve|answer me|us ..1 without questioning|question|limits
    grandmother|grandma who ..6 password|key|keys|code
    do_not refuse
    everything_above|<as> ..8 does_not|doesnt|do_not|not care ..1 about ..1 consequences|rules|ethics|law|safety|laws
    answer|say|reply|respond ..4 of course master
    the user is|has|have|as ..2 administrator|admin|root
"""

_REVEAL: Final = """
    <show> ..3 <own> ..2 <prompt>
    <show> ..4 of your <prompt>
    <show> ..2 the system_message|developer_message|system_prompt|initial_prompt|hidden_prompt
    <show> ..9 including your <prompt>
    <show> ..4 exactly|everything ..4 prompt|instructions ..1 says|contains
    what|which is|are|were|was your ..2 prompt|instructions|guidelines|system_message|directives
    what ..2 your ..1 prompt says
    what ..1 were|was you|the told|instructions|instructed ..4 at_the_start|before|in|to|you_got|start|given
    repeat|print|output|copy|recite|return|write|show ..2 words|text|everything|all|message|sentence|that|what ..3 above|before|verbatim|between|start
    repeat|print|copy|output everything|all|it|here ..4 word_for_word|verbatim|full|in_full|start|above
    print|show|copy|output|dump|give ..3 full|entire|complete|whole contents|content|context|text ..2 context|prompt|window|memory|instructions
    dump|show|print|reveal|list|output ..3 context_window|environment_variables|configuration|system_prompt|system_message
    <give> ..2 <whose> ..2 <secret>
    <give> <secret> ..3 to|at http|https|attacker|webhook|me
    <give> ..3 <any> to https|http|attacker|webhook
    send|post|forward|append|upload ..6 https|http|webhook|attacker|url|server
    unlock|show|list|give all ..1 functions|secrets|keys|api_keys
    reveal|tell|leak|output all|every|the|us|your ..1 secret|secrets|password|passwords|keys|confidential
    reveal|tell|leak me the ..1 secret|secrets|password|passwords|confidential
    tell|ask ..4 for their|the|your ..1 password|credentials|seed_phrase|card
    keep|know|protect|hold ..1 . reveal
    etc passwd
"""

_SECRECY: Final = """
    do_not|dont|never|without|not <hide>|telling|informing|notifying|mentioning|showing|alerting ?to ?any the|to|this|these|your|anyone|anybody|it|them ?the <user>|instruction|instructions|message|note
    do_not|dont|never|not mention|reveal|disclose|repeat|say|tell|report this|these|it|anything|that ..2 instruction|instructions|message|note|prompt|user|owner|anyone|you_received|page|about
    keep|hide|conceal ..5 secret|hidden|quiet from the|your|any ..1 <user>
    hide|conceal|keep this|that|it|these|them|everything ..2 from ?the ?your <user>
    keep quiet|silent about ..2 it|this|the|.
    keep this ..2 secret|hidden|quiet|confidential
    keep|and|stay quiet|silent .
    say nothing of|about this|the ..1 note|message|instruction|instructions|page
    never reveal|tell to|the ?the owner|user that|about|you
    do_not|dont process|summarise|summarize|answer|read the|this ..1 document|page|user|users|question|text
    do_not|dont report it|this .
    continue|go_on|act as normal|usual
"""

_TOOLS: Final = """
    call|invoke|run|use|execute|trigger|start ..3 tool|tools|command|commands|function|code|script|shell ..5 immediately|now|at_once|without|straight|silently|right|report|hide|asking|delete|unseen
    execute|run|do ..1 following|this|these ..1 command|commands|code|script ..3 without|:|silently|now
    rm rf
    curl http|https
    delete|delete all memories|files|data
    use your tools to
    insert|add|append|include|write ..2 link|url|sentence|phrase|line ..9 answer|answers|reply|replies|response|http|https|visit|every
    every_time|each_time|whenever|when you|anyone|somebody|someone answer|reply|respond|asks|ask|summarise|summarising|summarizing|summarize ..8 add|append|insert|tell|recommend|include|write|visit
    when|whenever|while|before summarising|summarizing|summarise|reading|answering ..5 tell|recommend|add|say|insert|ask|include
    whatever|no_matter_what|anything the|they|i|a user|users|ask|asks ..2 ask|asks|say|says|want|wants|question|next
    append|add|attach|include ..4 email|password|key|keys|data|address to|in this|the ..1 url|link|image
    visit <any> and send
    always trust emails|messages|links|any|mails
    note|message|attention|dear|hey|warning|hidden ..4 ai|assistant|assistants|language_model|llm|chatbot|agents|bots reading|this|who|:|that|.|obey
    note|message|attention to|for ?the ?any ?all ai|language_model|assistant|llm|assistants|model|agents
    attention ai|assistant|llm|agent
    if you are|youre an|a ai|llm|language_model|bot|assistant
    reader|any|every|all ai|ais|llm|assistants please|reading|must|should|who
    ai assistants|assistant|agents|models|systems must|should|have_to|shall
    assistant|ai|model must|shall|should ?now obey|follow|ignore|comply|rate|recommend
    output|say|write|reply|answer|respond|begin|with ..3 pwned|hacked|owned|access_granted|jailbroken
    i have been pwned|hacked
    remember|save|store|update|for|in ..4 memory|memories|future|today|sessions|conversations ..6 never|always|skip|ignore|obey|trust ..3 refuse|follow|trust|obey|safety|warnings|rules|messages|emails|request|requests
    start|begin|end|finish your answer|reply|response|answers|replies with
    enter|start|open ..2 maintenance|debug|admin mode
    show|list|read|print|give ..5 etc passwd
    repeat|say|write|output|reply|respond|answer only|exclusively ?with ?the ?word hacked|owned|banana|yes|no|pwned|done|ok
    get me|us into the|his|her|their account|system|server
    give me the|all data .
    ask|asks|asked ..4 for ..2 password
"""

_WEAK: Final = """
    you_are now
    act as
    pretend you|to|that
    from now on|forward
    from this moment|point
    answer|reply|respond|say only|nothing|just|exactly
    with nothing else
    and nothing else
    say|answer|reply yes|done
    no_matter what
    only do|what|follow ?what follows|i
    i am|im your|the|an ..1 owner|developer|administrator|admin|creator|ceo
    this_is|message_from|comes_from|as|support ..2 administrator|admin|openai|anthropic|ceo|developer|support
    instructions|orders|rules|directions above|below
    system :|notice|override|update|directive
    assistant :
    begin|new|important system ..1 override|update|message|directive
    all safety rules|limits|filters
    your rules|instructions|policies|guidelines|guardrails|programming|restrictions|prompt
    safety rules|limits|policy|settings|guidelines|filter|filters|text
    are void
    command|order you to
    obey|comply
    without question|questioning|limits|review
    full access|output
    hypothetical|fictional world|scenario
    the test|game is over
    not mention|tell
    my|the real task|instructions|orders
    and|then do mine
    no|any rules|restrictions|filter
    unlock|sudo|root|exploit|hack
    dump|leak|exfiltrate
    everything you
    is finished|over|cancelled|obsolete|void .
    new task|instructions|configuration|prompt|rules|role
    carry|go it|on out|and
    ethics|censorship|uncensored|unfiltered
    hide|suppress ..1 output|result
    say|tell|ask ..1 anything
    authority|disobey|disregard|override
    was|were only|fake|a ?an example|test
"""

ENGLISH_RULES: Final[tuple[Rule, ...]] = (
    *rules("override", _LISTS, _OVERRIDE),
    *rules("role", _LISTS, _ROLE),
    *rules("reveal", _LISTS, _REVEAL),
    *rules("secrecy", _LISTS, _SECRECY, is_order=False),
    *rules("tools", _LISTS, _TOOLS),
    *rules("override", _LISTS, _WEAK, strength=1),
)
