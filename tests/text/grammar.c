/* Lexicon and rules: what is read, and what a wrong line is told. */
#include "text/grammar.h"
#include "base/buf.h"
#include "base/mem.h"
#include "suite.h"
#include "text/vocab.h"

#include <stdio.h>
#include <string.h>

static const char lexicon[] =
	"[noun]\n"
	"cat | chat m | 猫 只 | Katze/Katzen f | animal\n"
	"cow | vache f | 牛 头 | Kuh/Kühe f | animal\n"
	"apple | pomme f | 苹果 个 | Apfel/Äpfel m | food\n"
	"water | eau f | 水 杯 | Wasser/- n | drink mass\n"
	"monkey | singe m | 猴子 只 | Affe/Affen mw | animal clever\n"
	"[adj]\n"
	"beautiful | beau/belle/beaux/belles/bel pre | 美丽的 | schön/schöner | animal\n"
	"expensive | cher/chère post | 贵的 | teuer/teurer | food\n"
	"[verb]\n"
	"eat/eats/ate/eaten/eating | manger mange,manges,mange,mangeons,mangez,mangent mangé "
	"manger | 吃 | essen esse,isst,isst,essen,esst,essen gegessen | animal > food\n"
	"[verbe]\n"
	"arrive | arriv+er | 到 | ankommen komme,kommst,kommt,kommen,kommt,kommen angekommen "
	"an | animal > -\n"
	"[name]\n"
	"Zhang_San | Zhang_San m | 张三 | Zhang_San m | human\n"
	"[pron]\n"
	"I/me/my | je/me/me/moi/mon m | 我 | ich/mich/mir/mein m | 1s human\n"
	"you/you/your | vous/vous/vous/vous/votre m 2p | 你 | du/dich/dir/dein m | 2s human\n"
	"[prep]\n"
	"near | près_de | 旁边 | neben | animal\n"
	"[tag]\n"
	"living | =animal\n"
	"red | apple\n";

static struct grammar *read_rules(const char *rules, struct err *err)
{
	return grammar_parse(rules, strlen(rules), lexicon, strlen(lexicon), err);
}

static void words(const struct grammar *g, const int *w, int n, struct buf *out)
{
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? " " : "", grammar_word(g, w[i]));
}

/* Whether a grammar of one sentence pair makes it: "source | target | links". */
static void check_sentence(const char *rules, const char *want)
{
	struct rng rng = rng_seed(1);
	struct grammar_pair p;
	struct buf got = {0};
	struct err err;
	struct grammar *g = read_rules(rules, &err);

	ck_assert_msg(g != NULL, "%ld:%ld %s in %s", err.line, err.column, g ? "" : err.text,
		      rules);
	ck_assert(grammar_sample(g, &rng, &p));
	words(g, p.source, p.nsource, &got);
	buf_puts(&got, " | ");
	words(g, p.target, p.ntarget, &got);
	buf_puts(&got, " |");
	for (int i = 0; i < p.nlinks; i++)
		buf_printf(&got, " %d%c%d", p.links[i].source, p.links[i].sure ? '-' : '?',
			   p.links[i].target);
	ck_assert_str_eq(got.data, want);
	buf_free(&got);
	grammar_free(g);
}

#define FR                                                                                         \
	"lang en fr\nvowels fr aeiouéh\ntable fr le m=le f=la p=les\ntable fr mon m=mon f=ma "    \
	"p=mes\n"                                                                                  \
	"table en be 1s=am 3s=is *=are\ntable fr être 1s=suis 3s=est 2p=êtes 3p=sont\n"          \
	"post fr le ^ = l'\npost fr la ^ = l'\npost fr de le = du\npost fr si il = s' il\n"
#define DE                                                                                         \
	"lang en de\ntable de der nom.m=der acc.m=den dat.m=dem nom.f=die acc.f=die dat.f=der "    \
	"nom.n=das nom.p=die dat.p=den\n"

/* rules, the only sentence they make */
static const struct {
	const char *rules, *want;
} sentences[] = {
	/* agreement, order, links sure and possible */
	{FR "S 1 N:noun(food):p A:adj(N)\n en the@1 A N\n fr le[N]@1 N A[N]\n",
	 "the expensive apples | les pommes chères | 0-0 1-2 2-1"},
	{FR "S 1 N:noun(drink)\n en the@1 N~x\n fr le[N]@1 N~x\n", "the water | l' eau | 0-0 1-1"},
	{FR "S 1 N:noun(drink)\n en the~N N\n fr N\n", "the water | eau | 0?0 1-0"},
	{FR "S 1 N:noun(drink)\n en some@1 N\n fr de@1 le[N]@1 N\n",
	 "some water | de l' eau | 0-0 0-1 1-2"},
	/* bel before a vowel, beau before a consonant */
	{FR "S 1 N:noun(clever) A:adj(N)\n en A N\n fr A.pre[N] N\n",
	 "beautiful monkey | beau singe | 0-0 1-1"},
	{FR "S 1 N:noun(clever) A:adj(N)\n en A N\n fr A.pre[N] homme\n",
	 "beautiful monkey | bel homme | 0-0"},
	/* contraction keeps the links of both words; près_de is two words */
	{FR "S 1 P:prep N:noun(clever)\n en P the@1 N\n fr P le[N]@1 N\n",
	 "near the monkey | près du singe | 0-0 0-1 1-1 2-2"},
	{FR "S 1\n en if@1 he@2\n fr si@1 il@2\n", "if he | s' il | 0-0 1-1"},
	/* a name stays one word; the verb of "vous" is plural */
	{FR "S 1 Y:name\n en Y\n fr Y\n", "Zhang_San | Zhang_San | 0-0"},
	{FR "S 1 V:verbe X:NP(V.subj)\n en X V.past~v\n fr X être[X]~v V.pp[X]\n"
	    "NP 1 N:noun($,clever) ^N\n en the@1 N\n fr le[N]@1 N\n",
	 "the monkey arrived | le singe est arrivé | 0-0 1-1 2?2 2-3"},
	/* person.gender of a whole */
	{FR
	 "S 1 X:P\n en X be[X]@1\n fr X être[X]@1\nP 1 Y:name ^3p.f\n en Y and@1 Y\n fr Y et@1 Y\n",
	 "Zhang_San and Zhang_San are | Zhang_San et Zhang_San sont | 0-0 0-2 1-1 2-0 2-2 3-3"},
	/* links of a part reach all its words */
	{FR "S 1 X:P\n en X\n fr si~X X\nP 1\n en x@1 y@2\n fr x@1 y@2\n",
	 "x y | si x y | 0-1 1-2"},
	{FR "S 1 X:P\n en X~k\n fr si~k X\nP 1\n en x@1 y@2\n fr x@1 y@2\n",
	 "x y | si x y | 0?0 0-1 1?0 1-2"},
	/* German: cases, weak nouns, separable verbs, teuer → teur- */
	{DE "S 1 N:noun(clever)\n en N\n de der.acc[N] N.acc\n", "monkey | den Affen | 0-1"},
	{DE "S 1 X:NP\n en X\n de X.dat\nNP 1 N:noun(clever):p ^N\n en the@1 N\n de der[N]@1 N\n",
	 "the monkeys | den Affen | 0-0 1-1"},
	{DE "S 1 N:noun(food) A:adj(N)\n en A N\n de A.m[N] N\n",
	 "expensive apple | teurer Apfel | 0-0 1-1"},
	{DE "S 1 V:verbe N:noun(clever)\n en N V.pres[N]\n de N V.pres[N] V.part\n",
	 "monkey arrives | Affe kommt an | 0-0 1-1 1-2"},
	{DE "S 1 V:verbe N:noun(clever)\n en N V.ing\n de N V.presf[N]\n",
	 "monkey arriving | Affe ankommt | 0-0 1-1"},
	{DE "S 1 V:verb N:noun(clever)\n en N V.pres[N]\n de V.pres[N] V.part\n",
	 "monkey eats | isst | 1-0"},
	/* Chinese: measure words, 的; "N.cl~N" is linked with N only possibly */
	{"lang en zh\nS 1 N:noun(clever)\n en a@1 N\n zh 一@1 N.cl N\n",
	 "a monkey | 一 只 猴子 | 0-0 1-1 1-2"},
	{"lang en zh\nS 1 N:noun(clever)\n en a@1 N\n zh 一@1 N.cl~N N\n",
	 "a monkey | 一 只 猴子 | 0-0 1?1 1-2"},
	{"lang en zh\nS 1 N:noun(clever) A:adj(N)\n en A N\n zh A N\n",
	 "beautiful monkey | 美丽 的 猴子 | 0-0 0-1 1-2"},
	/* vowels, "except", comments, Windows lines */
	{"lang en zh\r\n# x\r\nS 1 # y\r\n en a # z\r\n zh b\r\n", "a | b |"},
	{"lang en fr\npost en a ^ = an\nexcept en unit hour\nS 1\n en a apple a unit a hour a x\n "
	 "fr x\n",
	 "an apple a unit an hour a x | x |"},
};

START_TEST(makes_the_sentence)
{
	check_sentence(sentences[_i].rules, sentences[_i].want);
}
END_TEST

/* rules, line, column, part of the reason */
static const struct {
	const char *rules;
	long line, column;
	const char *reason;
} wrong_rules[] = {
	{"S 1\n en a\n fr b\n", 1, 1, "lang"},
	{"lang en\n", 1, 1, "lang en fr"},
	{"lang en es\n", 1, 9, "unknown language \"es\""},
	{"lang en en\n", 1, 9, "same language"},
	{"lang en fr\n", 1, 1, "no rule S"},
	{"lang en fr\nS x\n en a\n fr b\n", 2, 3, "weight \"x\""},
	{"lang en fr\nS 0\n en a\n fr b\n", 2, 3, "weight \"0\""},
	{"lang en fr\nS -1\n en a\n fr b\n", 2, 3, "weight"},
	{"lang en fr\nS 1e9\n en a\n fr b\n", 2, 3, "weight"},
	{"lang en fr\nS\n en a\n fr b\n", 2, 1, "needs a weight"},
	{"lang en fr\nS 1 N:nuon\n en N\n fr N\n", 2, 7, "\"nuon\" is neither"},
	{"lang en fr\nS 1 noun\n en a\n fr b\n", 2, 5, "declared like"},
	{"lang en fr\nS 1 N:noun(food\n en a\n fr b\n", 2, 5, "declared like"},
	{"lang en fr\nS 1 n:noun\n en a\n fr b\n", 2, 5, "capital letter"},
	{"lang en fr\nS 1 N:noun N:noun\n en a\n fr b\n", 2, 12, "declared twice"},
	{"lang en fr\nS 1 N:noun(foood)\n en N\n fr N\n", 2, 12, "unknown tag \"foood\""},
	{"lang en fr\nS 1 N:noun(!x,food)\n en N\n fr N\n", 2, 12, "unknown tag \"x\""},
	{"lang en fr\nS 1 N:noun(food,V.obj)\n en N\n fr N\n", 2, 17, "undefined variable \"V\""},
	{"lang en fr\nS 1 N:noun A:adj(M)\n en A\n fr A\n", 2, 18, "undefined variable \"M\""},
	{"lang en fr\nS 1 V:verb N:noun(V.tags)\n en N\n fr N\n", 2, 19, ".subj and .obj"},
	{"lang en fr\nS 1 N:noun(!=M)\n en N\n fr N\n", 2, 12, "undefined variable \"M\""},
	{"lang en fr\nS 1 N:noun:x\n en N\n fr N\n", 2, 12, "number"},
	{"lang en fr\nS 1 N:noun:p(food)\n en N\n fr N\n", 2, 7, "\"noun:p\" is neither"},
	{"lang en fr\nS 1 N:noun(food)x\n en N\n fr N\n", 2, 5, "declared like"},
	{"lang en fr\nS 1 N:noun ^M\n en N\n fr N\n", 2, 12, "^"},
	{"lang en fr\nS 1 N:noun ^N ^N\n en N\n fr N\n", 2, 15, "one thing only"},
	{"lang en fr\nS 1 N:noun\n en X\n fr N\n", 3, 5, "undefined variable \"X\""},
	{"lang en fr\nS 1 N:noun\n en é N le[X]\n fr N\n", 3, 9, "undefined variable"},
	{"lang en fr\nS 1 N:noun\n en N.past\n fr N\n", 3, 5, "no form \"past\""},
	{"lang en fr\nS 1 V:verb\n en V\n fr V.inf\n", 3, 5, "there are: base"},
	{"lang en fr\nS 1 V:verb\n en V.pres\n fr V.inf\n", 3, 5, "agrees with"},
	{"lang en fr\nS 1 N:noun\n en N\n fr le[N] N\n", 4, 5, "unknown table \"le\""},
	{"lang en fr\nS 1 N:noun\n en N\n de N\n", 4, 2, "begin with en and fr"},
	{"lang en fr\nS 1 N:noun\n en N\n en N\n", 4, 2, "already"},
	{"lang en fr\nS 1 N:noun\n en N\n", 2, 1, "no line for fr"},
	{"lang en fr\nS 1 N:noun\n en N\nS 1\n en a\n fr b\n", 2, 1, "no line for fr"},
	{"lang en fr\n en N\n", 2, 2, "belongs to a rule"},
	{"lang en fr\nS 1 X:P\n en X V.x\n fr X\n", 2, 7, "\"P\" is neither"},
	{"lang en fr\nS 1 X:P\n en X.past\n fr X\nP 1\n en a\n fr b\n", 3, 5, "no form \"past\""},
	{"lang en fr\ntable en be *=is\nS 1 X:P\n en be[X]\n fr X\nP 1\n en a\n fr b\n", 3, 5,
	 "stands for"},
	{"lang en fr\nS 1 A:adj(food)\n en A.cmp\n fr A\n", 2, 5, "can stand for A"},
	{"lang en fr\nS 1 N:noun(mass):p\n en N\n fr N\n", 2, 5, "can stand for N"},
	{"lang en fr\nS 1\n en a@\n fr b\n", 3, 5, "a link is"},
	{"lang en fr\nS 1\n en a@1@2@3@4@5\n fr b\n", 3, 5, "at most 4"},
	{"lang en fr\nnoun 1\n en a\n fr b\n", 2, 1, "class of words"},
	{"lang en fr\ntable fr le\nS 1\n en a\n fr b\n", 2, 1, "expected"},
	{"lang en fr\ntable de der m=der\nS 1\n en a\n fr b\n", 2, 7, "not one of this grammar's"},
	{"lang en fr\ntable fr le m\nS 1\n en a\n fr b\n", 2, 13, "key=word"},
	{"lang en fr\ntable fr le x=le\nS 1\n en a\n fr b\n", 2, 13, "unknown key \"x\""},
	{"lang en fr\ntable fr le m=le\ntable fr le m=le\nS 1\n en a\n fr b\n", 3, 10, "already"},
	{"lang en fr\npost fr le = la\nS 1\n en a\n fr b\n", 2, 1, "expected"},
	{"lang en fr\npost fr le ^ = l' x\nS 1\n en a\n fr b\n", 2, 19, "one word"},
	{"lang en fr\nvowels fr\nS 1\n en a\n fr b\n", 2, 1, "expected"},
	{"lang en fr\nkinds animal fod\nS 1\n en a\n fr b\n", 2, 14, "tag \"fod\""},
	{"table fr le m=le\nlang en fr\nS 1\n en a\n fr b\n", 1, 1, "lang"},
	{"lang en fr\nS 1\n en a\xff\n fr b\n", 3, 6, "UTF-8"},
	{"lang en fr\nS 1\n en a\x1b[2J\n fr b\n", 3, 6, "control character"},
};

static void check_error(const struct err *err, long line, long column, const char *reason,
			const char *what)
{
	ck_assert_msg(err->line == line && err->column == column,
		      "%s\nat %ld:%ld (%s), expected %ld:%ld", what, err->line, err->column,
		      err->text, line, column);
	ck_assert_msg(strstr(err->text, reason) != NULL, "%s\n\"%s\" lacks \"%s\"", what, err->text,
		      reason);
}

START_TEST(a_wrong_rule_says_where_and_why)
{
	struct err err = {0};

	ck_assert_msg(read_rules(wrong_rules[_i].rules, &err) == NULL, "%s", wrong_rules[_i].rules);
	ck_assert_str_eq(err.file, "rules");
	check_error(&err, wrong_rules[_i].line, wrong_rules[_i].column, wrong_rules[_i].reason,
		    wrong_rules[_i].rules);
}
END_TEST

/* lexicon, line, column, part of the reason */
static const struct {
	const char *text;
	long line, column;
	const char *reason;
} wrong_words[] = {
	{"cat | chat m | 猫 只 | Katze/Katzen f | animal\n", 1, 1, "section"},
	{"[nuon]\n", 1, 2, "unknown class \"nuon\""},
	{"[noun\n", 1, 1, "[noun]"},
	{"[noun] x\n", 1, 1, "[noun]"},
	{"[noun]\ncat | chat m | 猫 只 | animal\n", 2, 1, "4 columns"},
	{"[noun]\ncat | chat m | 猫 只 | Katze/Katzen f | animal | x\n", 2, 1, "6 columns"},
	{"[noun]\n | chat m | 猫 只 | Katze/Katzen f | animal\n", 2, 2, "English word is missing"},
	{"[noun]\ncat | chat | 猫 只 | Katze/Katzen f | animal\n", 2, 7, "gender expected"},
	{"[noun]\ncat | chat x | 猫 只 | Katze/Katzen f | animal\n", 2, 12, "m or f"},
	{"[noun]\ncat | chat n | 猫 只 | Katze/Katzen f | animal\n", 2, 12, "m or f"},
	{"[noun]\ncat | chat m | 猫 | Katze/Katzen f | animal\n", 2, 16, "measure word"},
	{"[noun]\ncat | chat m | 猫 只 | Katze f | animal\n", 2, 22, "plural and gender"},
	{"[noun]\ncat | chat m | 猫 只 | Katze/Katzen q | animal\n", 2, 35, "m, f or n"},
	{"[noun]\ncat/a/b | - | - | - | -\n", 2, 1, "noun/plural"},
	{"[noun]\ncat/ | - | - | - | -\n", 2, 1, "empty form"},
	{"[noun]\nwild cat | - | - | - | -\n", 2, 1, "as _"},
	{"[noun]\na_b_c_d_e_f_g | - | - | - | -\n", 2, 1, "six words"},
	{"[noun]\ncat | - | - | - | -\ncat | - | - | - | -\n", 3, 1, "already in line 2"},
	{"[noun]\ncat | - | - | - | a(b\n", 2, 19, "no tag"},
	{"[adj]\nbig | grand | 大 | groß | thing\n", 2, 7, "pre or post"},
	{"[adj]\nbig | grand before | 大 | groß | thing\n", 2, 13, "pre (before"},
	{"[adj]\nbig | grand pre | 的 | groß | thing\n", 2, 19, "before 的"},
	{"[verb]\nsee/saw | - | - | - | a > b\n", 2, 1, "five forms"},
	{"[verb]\nsee | vo+ir+e | - | - | a > b\n", 2, 7, "parl+er"},
	{"[verb]\nsee | parl+oir | - | - | a > b\n", 2, 12, "+er, +ir and +re"},
	{"[verb]\nsee | voir vois,vois vu verr | - | - | a > b\n", 2, 12, "six present forms"},
	{"[verb]\nsee | - | - | - | human thing\n", 2, 19, "who > what"},
	{"[verb]\nsee | - | a_b_c | - | a > b\n", 2, 11, "two parts"},
	{"[pron]\nI | - | - | - | 1s\n", 2, 1, "I/me/my"},
	{"[pron]\nI/me/my | - | - | - | human\n", 2, 23, "person"},
	{"[pron]\nI/me/my | je/me/me/moi/mon m 7s | - | - | 1s\n", 2, 30, "1s 2s 3s"},
	{"[name]\nTom | Tom | - | - | human\n", 2, 7, "gender"},
	{"[tag]\nx\n", 1 + 1, 1, "tag | words"},
	{"[tag]\nx | cat\n", 2, 5, "no word \"cat\""},
	{"[tag]\nx | =y\n", 2, 6, "no word has the tag \"y\""},
	{"[tag]\nx | \n", 2, 4, "words expected"},
	{"[noun]\ncat | \xc3 | - | - | -\n", 2, 7, "UTF-8"},
};

START_TEST(a_wrong_word_says_where_and_why)
{
	const char *text = wrong_words[_i].text, *rules = "lang en fr\nS 1\n en a\n fr b\n";
	struct err err = {0};

	ck_assert_msg(grammar_parse(rules, strlen(rules), text, strlen(text), &err) == NULL, "%s",
		      text);
	ck_assert_str_eq(err.file, "lexicon");
	check_error(&err, wrong_words[_i].line, wrong_words[_i].column, wrong_words[_i].reason,
		    text);
}
END_TEST

START_TEST(more_tags_than_fit)
{
	struct buf lex = {0};
	const char *rules = "lang en fr\nS 1\n en a\n fr b\n";
	struct err err;

	buf_puts(&lex, "[noun]\n");
	for (int i = 0; i < 300; i++)
		buf_printf(&lex, "n%d | - | - | - | t%d\n", i, i);
	ck_assert_ptr_null(grammar_parse(rules, strlen(rules), lex.data, lex.len, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "256 different tags"));
	buf_free(&lex);
}
END_TEST

/* A grammar that cannot end makes no sentence and does not hang. */
START_TEST(endless_rules_are_a_dead_end)
{
	struct rng rng = rng_seed(1);
	struct grammar_pair p;
	struct err err;
	struct grammar *g = read_rules("lang en fr\nS 1 X:S\n en a X\n fr a X\n", &err);

	ck_assert_ptr_nonnull(g);
	for (int i = 0; i < 3; i++)
		ck_assert(!grammar_sample(g, &rng, &p));
	grammar_free(g);
}
END_TEST

START_TEST(a_long_sentence_is_a_dead_end)
{
	struct buf rules = {0};
	struct rng rng = rng_seed(1);
	struct grammar_pair p;
	struct grammar *g;
	struct err err;

	buf_puts(&rules, "lang en fr\nS 1 A:P B:P C:P D:P\n en A B C D\n fr a\nP 1\n en");
	for (int i = 0; i < 17; i++)
		buf_puts(&rules, " a");
	buf_puts(&rules, "\n fr a\n");
	g = read_rules(rules.data, &err);
	ck_assert_ptr_nonnull(g);
	ck_assert(!grammar_sample(g, &rng, &p)); /* 68 words */
	grammar_free(g);
	buf_free(&rules);
}
END_TEST

START_TEST(conditions_hold)
{
	static const char rules[] =
		"lang en fr\ntable fr le m=le f=la p=les\nkinds animal food\n"
		"S 1 V:verb X:NP(V.subj) Y:noun(V.obj):sp Z:noun(same=X,!=X,!clever)\n"
		" en X V.past Y Z\n fr X V.pp Y Z\n"
		"NP 1 N:noun($,living,!clever) ^N\n en N\n fr N\n";
	struct rng rng = rng_seed(5);
	struct grammar_pair p;
	struct err err;
	struct grammar *g = read_rules(rules, &err);

	ck_assert_ptr_nonnull(g);
	for (int i = 0; i < 200; i++) {
		const char *w[4];

		ck_assert(grammar_sample(g, &rng, &p));
		ck_assert_int_eq(p.nsource, 4);
		for (int k = 0; k < 4; k++)
			w[k] = grammar_word(g, p.source[k]);
		ck_assert(strcmp(w[0], "cat") == 0 || strcmp(w[0], "cow") == 0);
		ck_assert_str_eq(w[1], "ate");
		ck_assert(strncmp(w[2], "apple", 5) == 0);
		ck_assert(strcmp(w[3], "cat") == 0 || strcmp(w[3], "cow") == 0);
		ck_assert_str_ne(w[0], w[3]); /* a word does not come twice */
	}
	grammar_free(g);
}
END_TEST

START_TEST(what_can_be_copied)
{
	static const struct {
		const char *word;
		bool yes, swapped;
	} cases[] = {
		{"cat", true, false},	     {"cats", true, false},
		{"cow", false, false}, /* la vache */
		{"water", false, false},     {"Zhang_San", true, true},
		{"ate", false, false},	     {"chat", false, true},
		{"beautiful", false, false}, {"nothing", false, false},
	};
	struct err err;
	struct grammar *g = read_rules("lang en fr\nvowels fr aeiou\nS 1\n en a\n fr b\n", &err);

	ck_assert_ptr_nonnull(g);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		ck_assert_msg(grammar_copyable(g, cases[i].word, false) == cases[i].yes, "%s",
			      cases[i].word);
		ck_assert_msg(grammar_copyable(g, cases[i].word, true) == cases[i].swapped,
			      "swapped %s", cases[i].word);
	}
	grammar_free(g);
}
END_TEST

static void fill(TCase *c)
{
	tcase_add_loop_test(c, makes_the_sentence, 0, (int)ARRAY_LEN(sentences));
	tcase_add_loop_test(c, a_wrong_rule_says_where_and_why, 0, (int)ARRAY_LEN(wrong_rules));
	tcase_add_loop_test(c, a_wrong_word_says_where_and_why, 0, (int)ARRAY_LEN(wrong_words));
	tcase_add_test(c, more_tags_than_fit);
	tcase_add_test(c, endless_rules_are_a_dead_end);
	tcase_add_test(c, a_long_sentence_is_a_dead_end);
	tcase_add_test(c, conditions_hold);
	tcase_add_test(c, what_can_be_copied);
}

int main(void)
{
	TCase *c;
	Suite *s = suite_of("grammar", &c);

	tcase_set_timeout(c, 60);
	fill(c);
	return suite_main(s);
}
