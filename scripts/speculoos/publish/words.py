"""Every label of figures, tables and results, in both languages: one name, one row."""

# ruff: noqa: E501 - one row a label, with French apostrophes

from speculoos.publish.text import LANGUAGES, Language, typeset

_TABLE = """
acceptance_rate         | taux d’acceptation              | acceptance rate
observed_badge          | Observé en service, non mesuré  | Observed in use, not measured
reported_badge          | Rapporté par d’autres, non mesuré ici | Reported by others, not measured here
observed_short          | en service                      | in use
observed_title          | Ce qui a été observé            | What was observed
observed_window         | durée                           | duration
observed_tokens         | jetons générés                  | generated tokens
observed_rate           | vitesse en activité             | rate while busy
observed_intervals      | entre intervalles               | between intervals
tokens_per_step         | jetons par étape                | tokens per step
restarts                | redémarrages                    | restarts
claim_memory            | mémoire en plus                 | more memory
bench                   | banc                            | bench
life                    | en service                      | in use
beside_title            | Le banc et l’usage              | Bench and real use
beside_note             | Même modèle, même machine, même réglage. Rond plein : mesuré sur banc. Losange creux : observé en service, sans référence ; ce n’est pas une mesure. Trait vertical : étendue entre les blocs (vitesse) et entre les invites (acceptation) du banc, entre les intervalles de l’observation. | Same model, same machine, same setting. Filled dot: measured on the bench. Hollow diamond: observed in use, without a baseline; it is no measurement. Vertical bar: range over the blocks (rate) and over the prompts (acceptance) of the bench, over the intervals of the observation.
acceptance_title        | Acceptation selon la position   | Acceptance by position
acceptance_note         | Part des étapes de vérification dont les i premiers jetons proposés sont tous acceptés, au réglage le plus profond. Trait vertical : étendue entre les invites. | Share of the verification steps whose first i draft tokens were all accepted, at the deepest setting. Vertical bar: range over the prompts.
acceptance_note_observed | Part des étapes de vérification dont les i premiers jetons proposés sont tous acceptés, observée en service. Trait vertical : étendue entre les intervalles de temps. | Share of the verification steps whose first i draft tokens were all accepted, observed in use. Vertical bar: range over the intervals of time.
speedup_note            | Trait vertical : intervalle à 95 %, pour ces invites sur cette machine. Symbole creux : trop peu de blocs pour un intervalle. Croix : incident. | Vertical bar: 95% interval, for these prompts on this machine. Hollow symbol: too few blocks for an interval. Cross: incident.
any                     | tous                            | all
best                    | meilleur réglage                | best setting
baseline                | référence                       | baseline
build                   | build                           | build
by                      | par                             | by
card_alt                | Le décodage spéculatif accélère-t-il votre machine ? Les accélérations mesurées, avec leurs intervalles. | Does speculative decoding speed up your machine? The measured speed-ups, with their intervals.
card_note               | Mesuré sur un vrai llama-server, intervalles à 95 % | Measured on a real llama-server, 95% intervals
card_question           | Le décodage spéculatif accélère-t-il votre machine ? | Does speculative decoding speed up your machine?
claim_rate              | vitesse annoncée                | stated rate
claim_speedup           | accélération annoncée           | stated speed-up
claims_title            | Ce que la source annonce        | What the source states
command                 | Commande                        | Command
conditions              | conditions                      | conditions
consulted               | Consulté le                     | Consulted
undated                 | sans date                       | no date
data_table              | Les valeurs du graphique        | The values of this figure
demand                  | exigence                        | demand
date                    | date                            | date
draft_model             | modèle d’ébauche                | draft model
finding_all_broken      | Aucun réglage n’est allé au bout | No setting reached the end
finding_alike           | Partout, au mieux {by} fois la référence | Everywhere, at best {by}× the baseline
finding_apart           | Au mieux, de {low} à {by} fois la référence | At best, from {low} to {by}× the baseline
finding_beside          | Taux d’acceptation : {bench} au banc, {life} en service | Acceptance rate: {bench} on the bench, {life} in use
finding_cost            | Vérifier {depth} jetons coûte {low} passe simple | Checking {depth} tokens costs {low} plain passes
finding_costs           | Vérifier {depth} jetons coûte de {low} à {high} passes simples | Checking {depth} tokens costs {low} to {high} plain passes
finding_faster          | {what} : {by} fois la référence | {what}: {by}× the baseline
finding_field_n_max     | Meilleur n_max : de {low} à {high} dans {count} relevés sur {all} | Best n_max: {low} to {high} in {count} of {all} sweeps
finding_field_speedup   | Accélération médiane : {dense} pour les modèles denses, {experts} pour ceux à experts | Median speed-up: {dense} for dense models, {experts} for mixtures of experts
finding_first           | Premier jeton accepté à {first} | First token accepted at {first}
finding_first_and_all   | Premier jeton accepté à {first}, les {count} à {last} | First token accepted at {first}, all {count} at {last}
finding_memory          | La formule tombe à {share} près pour {near} tampons sur {all} | The formula is within {share} of the log for {near} of {all} buffers
finding_no_interval     | {what} : {by} fois la référence, sans intervalle | {what}: {by}× the baseline, without an interval
finding_none_faster     | Même le meilleur ralentit : {by} fois la référence | Even the best is slower: {by}× the baseline
finding_slower          | Même {what} ralentit : {by} fois la référence | Even {what} is slower: {by}× the baseline
finding_undecided       | {what} : {by} fois la référence, gain incertain | {what}: {by}× the baseline, gain uncertain
figure_file             | Fichier                         | File
incident                | incident                        | incident
incidents               | Incidents                       | Incidents
interval                | intervalle à 95 %               | 95% interval
interval_such           | pour des invites semblables     | for prompts like these
interval_note           | Intervalle à 95 % : ces invites, sur cette machine. Pour des invites semblables, l’écart d’une invite à l’autre s’y ajoute : l’intervalle est plus large, et absent s’il y a moins de quatre invites. | 95% interval: these prompts, on this machine. For prompts like these, the spread between the prompts adds to it: the interval is wider, and absent with fewer than four prompts.
slots_note              | {slots} requêtes à la fois : les jetons de toutes, rapportés au temps de l’ensemble, lecture des invites comprise. À ne jamais comparer aux chiffres d’une seule requête. | {slots} requests at once: the tokens of all of them over the time of the whole, prompts included. Never to be compared with figures of one request.
slots                   | requêtes à la fois              | requests at once
freedom                 | degrés de liberté               | degrees of freedom
ways_title              | Les mêmes invites, autrement    | The same prompts, asked in other ways
ways_note               | Chaque façon de demander a sa propre référence, mesurée dans la même session. Évolution : l’accélération, rapportée à celle de la première ligne du réglage. | Each way of asking has a baseline of its own, measured in the same session. Change: the speed-up over that of the setting’s first row.
reasoning               | raisonnement                    | reasoning
depth                   | profondeur du contexte          | context depth
change                  | évolution                       | change
see_pitfall             | Le piège                        | The pitfall
machine                 | machine                         | machine
mean_acceptance_length  | longueur moyenne acceptée       | mean acceptance length
model                   | modèle                          | model
n_max                   | n_max                           | n_max
no_result               | Aucune mesure pour l’instant.   | No measurement yet.
position                | position                        | position
position_axis           | position du jeton proposé       | position of the draft token
range_prompts           | étendue entre invites           | range over the prompts
result                  | mesure                          | measurement
rule                    | règle                           | rule
rules                   | Règles de vérification          | Rules of the check
same_text               | textes identiques               | equal texts
samples                 | échantillons                    | samples
setting                 | réglage                         | setting
source                  | Source                          | Source
show_all                | Tout montrer                    | Show all
results_shown           | Mesures montrées                | Measurements shown
speculation             | type de spéculation             | type of speculation
speedup                 | accélération                    | speed-up
speedup_title           | Accélération selon n_max        | Speed-up by n_max
speedup_types           | Accélération selon le réglage   | Speed-up by setting
speedup_unit            | accélération (référence = 1)    | speed-up (baseline = 1)
step_cost               | coût d’une étape                | step cost
step_cost_bound         | ce qu’une étape rend au plus    | the most that a step gives
step_cost_note          | Coût d’une étape de vérification, en passes simples ; 0 est la passe simple. Au-dessus de la ligne pointillée, aucun texte ne peut rendre la spéculation rentable. Trait vertical : intervalle à 95 %, celui de l’accélération. | Cost of a verification step, in plain passes; 0 is the plain pass. Above the dashed line no text can make speculation pay. Vertical bar: 95% interval, that of the speed-up.
step_cost_note_bare     | Coût d’une étape de vérification, en passes simples ; 0 est la passe simple. Au-dessus de la ligne pointillée, aucun texte ne peut rendre la spéculation rentable. Sans intervalle : une seule vitesse par réglage est connue, et il en faudrait plusieurs. | Cost of a verification step, in plain passes; 0 is the plain pass. Above the dashed line no text can make speculation pay. No interval: one rate is known for each setting, and it takes several.
step_cost_title         | Coût d’une étape selon n_max    | Step cost by n_max
step_cost_unit          | coût d’une étape (passes simples) | step cost (plain passes)
tokens_per_second       | jetons/s                        | tokens/s
verdict                 | verdict                         | verdict
verdict_off             | à laisser désactivée            | leave it off
verdict_undecided       | indécidable                     | undecided
verdict_use             | à activer                       | use it
warnings                | À savoir                        | What to know
coverage                | Part des intervalles qui contiennent la vraie valeur | Share of the intervals that hold the true value
coverage_note           | Simulation : {simulations} machines par ligne. Le bruit est celui d’un démarrage, en part de sa vitesse ; celui d’une requête est deux fois plus grand. | Simulation: {simulations} machines a row. The noise is that of a start, as a share of its rate; that of a request is twice as large.
coverage_noise          | bruit d’un démarrage            | noise of a start
coverage_at_once        | fin au premier bloc étroit      | ended at the first narrow block
coverage_one_more       | un bloc plus tard               | one block later
coverage_all_blocks     | tous les blocs                  | all blocks
all_buffers             | tous les tampons                | all buffers
beside                  | en mémoire centrale (Gio)       | in main memory (GiB)
compute_buffers         | tampons de calcul               | compute buffers
kv_cache                | cache KV                        | KV cache
bits                    | bits                            | bits
memory_bits             | Poids de tous les tenseurs, en Gio, selon leur type | Weights of all tensors, in GiB, by their type
weights_logged          | poids                           | weights
memory_cards            | Contexte le plus long par carte | Longest context by card
memory_logged           | Plus grand écart entre le calcul et le journal | Largest deviation between formula and log
memory_equal            | égalité                         | equal
memory_expected_unit    | calculé (Mio)                   | expected (MiB)
memory_figure           | La formule suit le journal des serveurs | The formula follows what servers log
memory_figure_note      | Un point par démarrage d’un vrai serveur : la taille que dit le journal, et celle que l’en-tête du fichier laissait attendre. Sur la ligne, les deux sont égales. | One dot for each start of a real server: the size that the log says, and the one that the header of the file let expect. On the line both are equal.
memory_logged_unit      | dans le journal (Mio)           | in the log (MiB)
memory_computed         | calculé                         | computed
memory_reported         | rapporté                        | reported
memory_shares           | Ce que la tête MTP prend sur la carte | What the MTP head takes on the card
further_token_mib       | par jeton de plus (Mio)         | for each further token (MiB)
mtp_share_mib           | part de la tête MTP (Mio)       | share of the MTP head (MiB)
memory_needs            | Mémoire de la carte, en Gio     | Memory of the card, in GiB
mtp_share               | part de la tête MTP             | share of the MTP head
starts                  | démarrages                      | starts
together                | ensemble                        | together
weights                 | poids                           | weights
withdrawn               | mesure retirée                  | withdrawn
one_step_accepted       | accepté                         | accepted
one_step_corrected      | remplacé                        | replaced
one_step_desc           | Sans spéculation, trois passes du modèle donnent trois jetons, l’un après l’autre. Avec spéculation, l’ébauche propose trois jetons, le modèle les vérifie en une seule passe, en accepte deux et remplace le troisième : trois jetons aussi, pour une seule étape. | Without speculation, three passes of the model give three tokens, one after the other. With speculation, the draft proposes three tokens, the model checks them in a single pass, accepts two and replaces the third: three tokens as well, for a single step.
one_step_draft          | l’ébauche propose                | the draft proposes
one_step_pass           | passe                           | pass
one_step_plain          | Sans spéculation : trois passes | Without speculation: three passes
one_step_result         | Trois jetons pour une seule étape. | Three tokens for a single step.
one_step_speculative    | Avec spéculation : une étape    | With speculation: one step
one_step_title          | Une étape de décodage spéculatif | One step of speculative decoding
one_step_verify         | le modèle vérifie, en une passe | the model checks, in one pass
points_title            | Tous les réglages               | Every setting
blocks                  | blocs                           | blocks
prompts                 | invites                         | prompts
costs_title             | Ce qui change aussi             | What else changes
costs_note              | Mémoire : tampons du modèle, du contexte et du calcul, d’après le journal du serveur. | Memory: buffers of model, context and compute, from the server’s log.
energy_note             | Énergie : tout ce qui est compté, consommation au repos comprise, par jeton généré. | Energy: all that is counted, idle draw included, for each generated token.
prompt_rate             | lecture de l’invite (jetons/s)  | prompt (tokens/s)
prompt_ratio            | lecture, rapportée à la référence | prompt, over the baseline
buffers                 | mémoire (Mio)                   | memory (MiB)
buffers_more            | en plus de la référence (Mio)   | more than the baseline (MiB)
resident                | mémoire résidente (Mio)         | resident memory (MiB)
device                  | mémoire de la carte (Mio)       | card memory (MiB)
joules_per_token        | énergie (J par jeton)           | energy (J per token)
calc_title              | Accélération attendue selon n_max | Expected speed-up by n_max
calc_acceptance         | Acceptation                     | Acceptance
calc_acceptance_hint    | Une valeur : la même pour chaque jeton, si les précédents sont acceptés. Plusieurs : celles de « acc per pos », position par position. | One value: the same for every token, given those before it. Several: those of “acc per pos”, position by position.
calc_acceptance_error   | Il faut des nombres entre 0 et 1, ou des pourcentages, qui ne montent pas d’une position à la suivante. | Enter numbers between 0 and 1, or percentages, that do not rise from one position to the next.
calc_machine            | Coût d’une étape, pris sur      | Step cost, taken from
calc_own                | vos propres valeurs             | your own values
calc_measured           | Mesuré ici                      | Measured here
calc_reported           | Rapporté par d’autres           | Reported by others
calc_costs              | Coût pour n_max 1, 2, 3…        | Cost at n_max 1, 2, 3 …
calc_costs_hint         | En passes simples, séparés par des espaces ; ? là où le coût est inconnu. | In plain passes, parted by spaces; ? where the cost is unknown.
calc_costs_error        | Il faut des nombres positifs séparés par des espaces, ou ? pour un coût inconnu. | Enter positive numbers parted by spaces, or ? for a cost that is unknown.
calc_log_title          | Remplir à partir de votre journal, ou d’un taux | Fill it in from your log, or from a rate
calc_log                | Lignes du journal de llama-server, ou sa réponse | Lines of llama-server’s log, or its answer
calc_rate               | Ou le taux d’acceptation, si vous ne connaissez que lui | Or the acceptance rate, if that is all you know
calc_n_max              | n_max de ce serveur, si le journal ne le dit pas | n_max of that server, if the log does not say it
calc_baseline           | Sa vitesse sans spéculation, en jetons/s, si vous l’avez mesurée | Its speed without speculation, in tokens/s, if you measured it
calc_private            | Rien de ce que vous collez ne quitte cette page. | Nothing that you paste leaves this page.
calc_noscript           | Le calculateur a besoin de JavaScript. Sans lui, la formule suffit : accélération = (1 + a + a² + … + aⁿ) / coût d’une étape. | The calculator needs JavaScript. Without it, the formula will do: speed-up = (1 + a + a² + … + aⁿ) / step cost.
calc_length             | jetons par étape                | tokens per step
calc_cost               | coût                            | cost
calc_speedup            | accélération attendue           | expected speed-up
calc_pays               | Cela devrait payer : avec n_max {n}, soit {x} (jetons par étape : {length}, pour un coût de {cost} en passes simples). | It should pay: at n_max {n} a step gives {length} tokens and costs {cost} plain passes, that is {x}.
calc_hardly             | Au mieux {x}, avec n_max {n} : trop peu pour la mémoire que cela prend. | At best {x}, with n_max {n}: too little for the memory it takes.
calc_never              | Cela ne devrait pas payer : une étape coûte toujours plus qu’elle ne rend ; au mieux {x}, avec n_max {n}. | It should not pay: a step always costs more than it gives; at best {x}, with n_max {n}.
calc_incomplete         | Il manque une acceptation ou un coût que l’on puisse lire. | An acceptance or a cost that can be read is missing.
calc_nothing_known      | Aucun n_max n’a à la fois une acceptation et un coût connus. | No n_max has both an acceptance and a cost that are known.
calc_read_nothing       | Aucune requête qui ait proposé des jetons dans ces lignes : l’acceptation est inconnue, ce qui ne veut pas dire nulle. | No request that drafted tokens in these lines: the acceptance is unknown, which is not to say zero.
calc_read_counts        | Lu : {accepted} jetons acceptés sur {drafted} proposés ({share} %), requêtes : {requests}. | Read: {accepted} of {drafted} draft tokens accepted ({share}%), requests: {requests}.
calc_read_rate          | Vitesse : {rate} jetons/s, sans le premier jeton. | Speed: {rate} tokens/s, without the first token.
calc_took_positions     | L’acceptation est reprise position par position. | The acceptance is taken over position by position.
calc_took_rate          | Avec n_max {n}, cela revient à {a} pour chaque jeton, si les précédents sont acceptés. | At n_max {n}, this amounts to {a} for each token, given those before it.
calc_took_cost          | Coût d’une étape à n_max {n}, en passes simples : {cost}. | Step cost at n_max {n}: {cost} plain passes.
calc_lacks_n            | Il manque n_max : le même taux vaut beaucoup plus à n_max 8 qu’à n_max 1. | n_max is missing: the same rate is worth far more at n_max 8 than at n_max 1.
calc_bad_rate           | Le taux doit être un nombre entre 0 et 1, ou un pourcentage. | The rate must be a number between 0 and 1, or a percentage.
calc_bad_n_max          | n_max doit être un nombre entier de 1 à 99. | n_max must be a whole number from 1 to 99.
calc_bad_baseline       | La vitesse sans spéculation doit être un nombre positif. | The speed without speculation must be a positive number.
calc_contradicts_n      | Ces lignes acceptent plus de jetons par étape que n_max {n} n’en propose : l’acceptation reste inconnue. | These lines accept more tokens a step than n_max {n} drafts: the acceptance stays unknown.
feed_observed           | observé sur un serveur en service | observed on a server in use
feed_title              | speculoos : les résultats       | speculoos: the results
field_plain             | jetons/s sans spéculation       | tokens/s without speculation
field_dense             | modèle dense                    | dense model
field_moe               | modèle à experts                | mixture of experts
field_n_max_title       | Meilleur n_max selon la vitesse sans spéculation | Best n_max by the speed without speculation
field_n_max_note        | Un point par relevé où trois valeurs de n_max au moins ont été essayées. | One dot for each sweep that tried three values of n_max at least.
field_speedup_title     | Accélération par MTP selon la vitesse sans spéculation | Speed-up by MTP, by the speed without speculation
field_speedup_note      | Un point par relevé, avec le meilleur n_max essayé ; sous la ligne pointillée, MTP ralentit. | One dot for each sweep, with the best n_max that was tried; below the dashed line MTP slows down.
field_note              | Relevés publiés par d’autres dans llama.cpp, sans p_min, non refaits ici. La plupart viennent d’une seule communauté et d’une sonde qui compte des fragments de flux ; les builds diffèrent, et l’on publie plus volontiers un gain qu’une perte. Sans intervalle : une seule vitesse par réglage est connue, et il en faudrait plusieurs. | Sweeps that others published, in llama.cpp and without p_min, not repeated here. Most come from one community and from a probe that counts stream chunks; the builds differ, and a gain is published more readily than a loss. No interval: one rate is known for each setting, and it takes several.
field_hardware          | matériel                        | hardware
field_best              | meilleur n_max                  | best n_max
field_reference         | source                          | source
surroundings            | Machine et alentours            | Machine and surroundings
cpu                     | processeur                      | processor
memory                  | mémoire vive                    | memory
cards                   | cartes graphiques               | graphics cards
os                      | système                         | system
kernel                  | noyau                           | kernel
driver                  | pilote de la carte              | card driver
power_limit             | limite de puissance             | power limit
display                 | écran branché sur la carte      | screen on the card
governor                | régulation de fréquence         | clock governor
memory_available        | mémoire libre avant la mesure   | free memory before
busy_before             | autres programmes, avant        | other programs, before
busy_during             | autres programmes, pendant (pire bloc) | other programs, during (worst block)
idle                    | puissance au repos              | idle power
energy                  | énergie des passages            | energy of the runs
energy_no_counter       | non mesurée : cette machine ne montre aucun compteur | not measured: this machine shows no counter
energy_not_permitted    | non mesurée : le compteur n’est lisible que par root | not measured: only root may read the counter
clock_cpu               | fréquence des processeurs       | processor clock
clock_gpu               | fréquence de la carte           | card clock
heat_gpu                | température de la carte, au plus | card temperature, at most
limits_gpu              | fréquence de la carte bridée par | card clock held down by
scope_package           | processeurs                     | processors
scope_dram              | mémoire vive                    | memory
scope_gpu               | cartes                          | cards
preview_title           | Cette pull request              | This pull request
preview_note            | Les fichiers de mesures que change cette pull request, et les résultats qu’on y lit. | The files of measurements that this pull request changes, and the results that are read from them.
preview_nothing         | Aucun fichier de mesures n’est changé. | No file of measurements is changed.
yes                     | oui                             | yes
no                      | non                             | no
"""


def _rows() -> dict[str, dict[Language, str]]:
    cells = ([cell.strip() for cell in row.split("|")] for row in _TABLE.strip().splitlines())
    return {
        name: {lang: typeset(text, lang) for lang, text in zip(LANGUAGES, texts, strict=True)}
        for name, *texts in cells
    }


LABELS = _rows()


def label(name: str, language: Language) -> str:
    """The label `name` in a language."""
    return LABELS[name][language]
