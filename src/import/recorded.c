#include "import/recorded.h"

static const struct trace *before(void *self)
{
	(void)self;
	return NULL;
}

static int no_model(struct err *err)
{
	return err_set(err, ERR_MISSING,
		       "this is a file of attention, not a model: it knows only its own sentences");
}

static int begin(void *self, const char *sentence, struct err *err)
{
	(void)self;
	(void)sentence;
	return no_model(err);
}

static int next(void *self, struct err *err)
{
	(void)self;
	(void)err;
	return 0;
}

static int redo(void *self, size_t t, const struct what_if *w, struct err *err)
{
	(void)self;
	(void)t;
	(void)w;
	return no_model(err);
}

static const struct what_if *what_if(void *self)
{
	static const struct what_if nothing;

	(void)self;
	return &nothing;
}

static const struct attention_rule *rule_of(void *self)
{
	static const struct attention_rule soft;

	(void)self;
	return &soft;
}

static size_t unknown(void *self, const struct unknown_word **words)
{
	(void)self;
	*words = NULL;
	return 0;
}

static int replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	(void)self;
	(void)index;
	(void)word;
	(void)out;
	(void)size;
	return -1;
}

static const char *const *none(void *self)
{
	static const char *const nothing[] = {NULL};

	(void)self;
	return nothing;
}

static int choose(void *self, const char *model, struct err *err)
{
	(void)self;
	(void)model;
	return no_model(err);
}

struct trace_producer recorded_producer(void *self)
{
	return (struct trace_producer){
		.self = self,
		.before = before,
		.begin = begin,
		.next = next,
		.redo = redo,
		.what_if = what_if,
		.rule = rule_of,
		.unknown = unknown,
		.replace = replace,
		.examples = none,
		.models = none,
		.choose = choose,
	};
}
