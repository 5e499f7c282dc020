"""The codes of languages: ISO 639-1, ISO 639-3 beside it, and what else languages are called.

Source: ISO 639:2023, sets 1 and 3; of set 2 the bibliographic codes.
"""

from __future__ import annotations

__all__ = ["ALIASES", "GUESSED", "NAMES"]

_ROWS = (
    "aa aar afar, ab abk abkhazian, ae ave avestan, af afr afrikaans, ak aka akan, am amh amharic, an arg "
    "aragonese, ar ara arabic, as asm assamese, av ava avar, ay aym aymara, az aze azerbaijani, ba bak "
    "bashkir, be bel belarusian, bg bul bulgarian, bi bis bislama, bm bam bambara, bn ben bengali, bo bod "
    "tibetan, br bre breton, bs bos bosnian, ca cat catalan, ce che chechen, ch cha chamorro, co cos "
    "corsican, cr cre cree, cs ces czech, cu chu church slavonic, cv chv chuvash, cy cym welsh, da dan "
    "danish, de deu german, dv div divehi, dz dzo dzongkha, ee ewe ewe, el ell greek, en eng english, eo "
    "epo esperanto, es spa spanish, et est estonian, eu eus basque, fa fas persian, ff ful fulah, fi fin "
    "finnish, fj fij fijian, fo fao faroese, fr fra french, fy fry western frisian, ga gle irish, gd gla "
    "gaelic, gl glg galician, gn grn guarani, gu guj gujarati, gv glv manx, ha hau hausa, he heb hebrew, "
    "hi hin hindi, ho hmo hiri motu, hr hrv croatian, ht hat haitian, hu hun hungarian, hy hye armenian, "
    "hz her herero, ia ina interlingua, id ind indonesian, ie ile interlingue, ig ibo igbo, ii iii nuosu, "
    "ik ipk inupiaq, io ido ido, is isl icelandic, it ita italian, iu iku inuktitut, ja jpn japanese, jv "
    "jav javanese, ka kat georgian, kg kon kongo, ki kik kikuyu, kj kua kuanyama, kk kaz kazakh, kl kal "
    "greenlandic, km khm khmer, kn kan kannada, ko kor korean, kr kau kanuri, ks kas kashmiri, ku kur "
    "kurdish, kv kom komi, kw cor cornish, ky kir kyrgyz, la lat latin, lb ltz luxembourgish, lg lug "
    "ganda, li lim limburgish, ln lin lingala, lo lao lao, lt lit lithuanian, lu lub luba-katanga, lv lav "
    "latvian, mg mlg malagasy, mh mah marshallese, mi mri maori, mk mkd macedonian, ml mal malayalam, mn "
    "mon mongolian, mr mar marathi, ms msa malay, mt mlt maltese, my mya burmese, na nau nauru, nb nob "
    "norwegian, nd nde north ndebele, ne nep nepali, ng ndo ndonga, nl nld dutch, nn nno nynorsk, nr nbl "
    "south ndebele, nv nav navajo, ny nya chichewa, oc oci occitan, oj oji ojibwa, om orm oromo, or ori "
    "odia, os oss ossetian, pa pan punjabi, pi pli pali, pl pol polish, ps pus pashto, pt por portuguese, "
    "qu que quechua, rm roh romansh, rn run rundi, ro ron romanian, ru rus russian, rw kin kinyarwanda, "
    "sa san sanskrit, sc srd sardinian, sd snd sindhi, se sme northern sami, sg sag sango, si sin "
    "sinhala, sk slk slovak, sl slv slovenian, sm smo samoan, sn sna shona, so som somali, sq sqi "
    "albanian, sr srp serbian, ss ssw swati, st sot southern sotho, su sun sundanese, sv swe swedish, sw "
    "swa swahili, ta tam tamil, te tel telugu, tg tgk tajik, th tha thai, ti tir tigrinya, tk tuk "
    "turkmen, tl tgl tagalog, tn tsn tswana, to ton tongan, tr tur turkish, ts tso tsonga, tt tat tatar, "
    "tw twi twi, ty tah tahitian, ug uig uyghur, uk ukr ukrainian, ur urd urdu, uz uzb uzbek, ve ven "
    "venda, vi vie vietnamese, vo vol volapük, wa wln walloon, wo wol wolof, xh xho xhosa, yi yid "
    "yiddish, yo yor yoruba, za zha zhuang, zh zho chinese, zu zul zulu"
)
_TRIPLES = [row.split(maxsplit=2) for row in _ROWS.split(", ")]

_OF_THREE_LETTERS = (
    "ace acehnese, ary moroccan arabic, arz egyptian arabic, ast asturian, bar bavarian, bcl central "
    "bikol, bho bhojpuri, ceb cebuano, chr cherokee, ckb central kurdish, crh crimean tatar, csb "
    "kashubian, dsb lower sorbian, ext extremaduran, frr northern frisian, fur friulian, fuv nigerian "
    "fulfulde, gcf antillean creole, gcr guianese creole, gom konkani, grc ancient greek, gsw alemannic, "
    "guw gun, haw hawaiian, hbo ancient hebrew, hsb upper sorbian, ilo ilocano, kab kabyle, kmr northern "
    "kurdish, lij ligurian, lld ladin, lmo lombard, ltg latgalian, mai maithili, mis a language that is "
    "not listed, mwl mirandese, nah nahuatl, nap neapolitan, nds low german, new newari, nso northern "
    "sotho, pam pampanga, pap papiamento, pcm nigerian pidgin, pms piedmontese, sah yakut, sat santali, "
    "scn sicilian, sco scots, sdh southern kurdish, szl silesian, tpi tok pisin, tyv tuvan, udm udmurt, "
    "vec venetian, war waray, wuu wu, yue cantonese"
)
"""Languages without a code of two letters; `mis` is ISO's own word for all that have no code."""

_OTHERS = (
    "no nb, nor nb, sh sr, hbs sr, bh bho, bih bho, bokmål nb, iw he, ji yi, in id, mo ro, jw jv, farsi "
    "fa, flemish nl, castilian es, slovene sl, brazilian pt, mandarin zh, filipino tl, fil tl, deutsch "
    "de, français fr, español es, português pt, italiano it, belarussian be, byelorussian be, bangla bn, "
    "panjabi pa, pushto ps, uighur ug, kirghiz ky, azeri az, frisian fy, oriya or, haitian creole ht, "
    "nyanja ny, sami se, alb sq, arm hy, baq eu, bur my, chi zh, cze cs, dut nl, fre fr, geo ka, ger de, "
    "gre el, ice is, mac mk, mao mi, may ms, per fa, rum ro, slo sk, tib bo, wel cy, scr hr, scc sr, als "
    "sq, arb ar, azj az, cmn zh, ekk et, gug gn, khk mn, lvs lv, npi ne, ory or, pes fa, plt mg, prs fa, "
    "swh sw, uzn uz, uzs uz, ydd yi, zsm ms"
)
"""Old and bibliographic codes, those of a part of a language, and other names: each with the code here."""

NAMES: dict[str, str] = {code: name for code, _, name in _TRIPLES} | dict(
    pair.split(maxsplit=1) for pair in _OF_THREE_LETTERS.split(", ")
)
"""Code → English name, in lower case: all of ISO 639-1, and some of three letters that have none there."""

ALIASES = (
    {name: code for code, name in NAMES.items()}
    | {three: code for code, three, _ in _TRIPLES}
    | dict(pair.rsplit(maxsplit=1) for pair in _OTHERS.split(", "))
)
"""Names and other codes → the code that is used here."""

_GUESSED = (
    "af am ar az bg bn bo ca cs cy da de el en eo es et eu fa fi fr ga gd gl gu he hi hr hu hy id is it "
    "ja ka km kn ko ky la lb lo lt lv mk ml mr ms my nb ne nl nn oc pl pt ro ru sa si sk sl sq sr sv sw "
    "ta te th tl tr tt uk ur vi yo zh"
)
GUESSED = frozenset(_GUESSED.split())
"""Languages that a text can be taken for when it does not say its own.

Others are believed where they are said: each more makes a guess for a short text less sure.
"""
