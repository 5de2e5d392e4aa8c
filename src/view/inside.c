#include "view/inside.h"

const struct trace_layer *inside_layer(const struct scene *sc, size_t i)
{
	const struct trace_step *s = scene_step(sc);
	const struct trace_layer *layers = scene_encoding(sc) ? sc->t->source[i].layers
					   : s		      ? s->layers
							      : NULL;

	return layers && step_layered(sc->s.phase) && sc->s.layer < sc->t->about.layers
		       ? &layers[sc->s.layer]
		       : NULL;
}

enum trace_part inside_part_of(enum step_phase p)
{
	enum step_role role = step_role(p);

	if (role == ROLE_FFN || role == ROLE_ADD_FFN)
		return TRACE_PART_FFN;
	return p >= PHASE_CROSS_QKV && p <= PHASE_CROSS_ADD ? TRACE_PART_CROSS : TRACE_PART_SELF;
}

enum trace_part inside_part(const struct scene *sc)
{
	return inside_part_of(sc->s.phase);
}

const struct trace_heads *inside_heads(const struct scene *sc, size_t i)
{
	const struct trace_layer *l = inside_layer(sc, i);

	if (!l || inside_part(sc) == TRACE_PART_FFN)
		return NULL;
	return inside_part(sc) == TRACE_PART_CROSS ? &l->cross : &l->self;
}

/* The self-attention's keys and values are those of place j. */
static struct trace_vec of_place(const struct scene *sc, size_t j, bool value)
{
	const struct trace *t = sc->t;
	const struct trace_layer *l = scene_encoding(sc) ? t->source[j].layers
				      : j < t->nsteps	 ? t->steps[j].layers
							 : NULL;
	const struct trace_memory *m = t->source[j < t->nsource ? j : 0].memory;

	if (sc->s.layer >= t->about.layers)
		return (struct trace_vec){0};
	if (inside_part(sc) == TRACE_PART_CROSS)
		return !m ? (struct trace_vec){0} : value ? m[sc->s.layer].v : m[sc->s.layer].k;
	if (!l)
		return (struct trace_vec){0};
	return value ? l[sc->s.layer].self.v : l[sc->s.layer].self.k;
}

struct trace_vec inside_key(const struct scene *sc, size_t j)
{
	return of_place(sc, j, false);
}

struct trace_vec inside_value(const struct scene *sc, size_t j)
{
	return of_place(sc, j, true);
}

int inside_head(const struct scene *sc)
{
	if (sc->mapped)
		return sc->map.head;
	return sc->s.head < sc->t->about.heads ? sc->s.head : 0;
}

struct trace_vec inside_share(const struct scene *sc, struct trace_vec v)
{
	return trace_head(sc->t, v, inside_head(sc));
}

struct trace_vec inside_x(const struct scene *sc, size_t i)
{
	const struct trace_layer *l = inside_layer(sc, i);

	return l ? trace_layer_x(sc->t, l, inside_part(sc), !scene_encoding(sc))
		 : (struct trace_vec){0};
}

struct trace_vec inside_read(const struct scene *sc, size_t i)
{
	const struct trace_layer *l = inside_layer(sc, i);

	if (!l || !sc->t->about.pre_norm)
		return inside_x(sc, i);
	return l->norm[inside_part(sc)];
}

static struct named_vec layer_result(const struct scene *sc, size_t i)
{
	const struct trace_layer *l = inside_layer(sc, i);
	const struct trace_heads *h = inside_heads(sc, i);

	if (!l)
		return (struct named_vec){"x", {0}};
	switch (step_role(sc->s.phase)) {
	case ROLE_QKV:
		return (struct named_vec){"q", inside_share(sc, h->q)};
	case ROLE_PROJECT:
		return (struct named_vec){"o", h->out};
	case ROLE_FFN:
		return (struct named_vec){"f", l->ffn};
	case ROLE_ADD:
	case ROLE_ADD_FFN:
		return (struct named_vec){"x", trace_layer_left(sc->t, l, inside_part(sc))};
	default:
		return (struct named_vec){"z", inside_share(sc, h->z)};
	}
}

struct named_vec inside_result(const struct scene *sc, size_t i)
{
	const struct trace_source *s = &sc->t->source[i];
	const struct trace_step *step = scene_step(sc);

	if (step_layered(sc->s.phase))
		return layer_result(sc, i);
	switch (step_role(sc->s.phase)) {
	case ROLE_EMBED:
		if (step)
			return (struct named_vec){"x", step->word};
		return (struct named_vec){"x", s->word.n ? s->word : s->embed};
	case ROLE_POSITION:
		return (struct named_vec){"x", step ? step->embed : s->embed};
	default:
		return step ? (struct named_vec){"s", step->state}
			    : (struct named_vec){"h", s->state};
	}
}

int inside_strips(const struct scene *sc, size_t i, struct named_vec out[INSIDE_STRIPS])
{
	const struct trace_heads *h = inside_heads(sc, i);

	if (!scene_encoding(sc)) { /* below a map: what the decoder looks at */
		out[0] = (struct named_vec){"h", sc->t->source[i].state};
		return 1;
	}
	out[0] = inside_result(sc, i);
	if (step_role(sc->s.phase) != ROLE_QKV || !h)
		return 1;
	out[1] = (struct named_vec){"k", inside_share(sc, h->k)};
	out[2] = (struct named_vec){"v", inside_share(sc, h->v)};
	return INSIDE_STRIPS;
}

struct moments inside_moments(struct trace_vec v)
{
	struct moments m = {0};

	for (size_t i = 0; i < v.n; i++)
		m.mean += (double)v.v[i] / (double)v.n;
	for (size_t i = 0; i < v.n; i++)
		m.variance += ((double)v.v[i] - m.mean) * ((double)v.v[i] - m.mean) / (double)v.n;
	return m;
}

float inside_dot(struct trace_vec a, struct trace_vec b)
{
	float sum = 0;

	for (size_t i = 0; i < a.n && i < b.n; i++)
		sum += a.v[i] * b.v[i];
	return sum;
}
