/* One row of a recurrent cell, forward and backward, on vectors of VEC floats. */
#include "num/kernels_builds.h"
#include "num/kernels_math.h"

void KERNEL(gru)(size_t H, const float *gx, const float *gh, const float *prev, float *out,
		 float *save)
{
	FOR_VECTORS(i, part, H)
	{
		const float *x = gx + i, *h = gh + i;
		vf r = vec_sigmoid(load_part(x, part, 0) + load_part(h, part, 0));
		vf z = vec_sigmoid(load_part(x + H, part, 0) + load_part(h + H, part, 0));
		vf m = load_part(h + 2 * H, part, 0);
		vf n = vec_tanh(load_part(x + 2 * H, part, 0) + r * m);

		store_part(out + i, n + z * (load_part(prev + i, part, 0) - n), part);
		if (save) {
			store_part(save + i, r, part);
			store_part(save + H + i, z, part);
			store_part(save + 2 * H + i, n, part);
			store_part(save + 3 * H + i, m, part);
		}
	}
}

/* Overwrites dgh and adds the same to dgx. */
INLINE void put_gate(float *dgh, float *dgx, vf for_h, vf for_x, size_t part)
{
	store_part(dgh, for_h, part);
	if (dgx)
		store_part(dgx, load_part(dgx, part, 0) + for_x, part);
}

void KERNEL(gru_backward)(size_t H, const float *save, const float *prev, const float *dh,
			  float *dgh, float *dgx, float *dprev)
{
	FOR_VECTORS(i, part, H)
	{
		vf r = load_part(save + i, part, 0), z = load_part(save + H + i, part, 0);
		vf n = load_part(save + 2 * H + i, part, 0),
		   m = load_part(save + 3 * H + i, part, 0);
		vf d = load_part(dh + i, part, 0), dn = d * (1 - z) * (1 - n * n);
		vf dr = dn * m * r * (1 - r),
		   dz = d * (load_part(prev + i, part, 0) - n) * z * (1 - z);

		put_gate(dgh + i, dgx ? dgx + i : NULL, dr, dr, part);
		put_gate(dgh + H + i, dgx ? dgx + H + i : NULL, dz, dz, part);
		put_gate(dgh + 2 * H + i, dgx ? dgx + 2 * H + i : NULL, dn * r, dn, part);
		store_part(dprev + i, load_part(dprev + i, part, 0) + d * z, part);
	}
}

void KERNEL(lstm)(size_t H, const float *gx, const float *gh, const float *c_prev, float *h,
		  float *c, float *save)
{
	FOR_VECTORS(j, part, H)
	{
		const float *x = gx + j, *y = gh + j;
		vf i = vec_sigmoid(load_part(x, part, 0) + load_part(y, part, 0));
		vf f = vec_sigmoid(load_part(x + H, part, 0) + load_part(y + H, part, 0));
		vf g = vec_tanh(load_part(x + 2 * H, part, 0) + load_part(y + 2 * H, part, 0));
		vf o = vec_sigmoid(load_part(x + 3 * H, part, 0) + load_part(y + 3 * H, part, 0));
		vf next = f * load_part(c_prev + j, part, 0) + i * g;

		store_part(c + j, next, part);
		store_part(h + j, o * vec_tanh(next), part);
		if (save) {
			store_part(save + j, i, part);
			store_part(save + H + j, f, part);
			store_part(save + 2 * H + j, g, part);
			store_part(save + 3 * H + j, o, part);
		}
	}
}

void KERNEL(lstm_backward)(size_t H, const float *save, const float *c_prev, const float *c,
			   const float *dh, const float *dc, float *dgh, float *dgx, float *dc_prev)
{
	FOR_VECTORS(j, part, H)
	{
		vf i = load_part(save + j, part, 0), f = load_part(save + H + j, part, 0);
		vf g = load_part(save + 2 * H + j, part, 0),
		   o = load_part(save + 3 * H + j, part, 0);
		vf y = vec_tanh(load_part(c + j, part, 0)), d = load_part(dh + j, part, 0);
		vf e = load_part(dc + j, part, 0) + d * o * (1 - y * y);
		vf gate[] = {e * g * i * (1 - i), e * load_part(c_prev + j, part, 0) * f * (1 - f),
			     e * i * (1 - g * g), d * y * o * (1 - o)};

		for (size_t n = 0; n < 4; n++)
			put_gate(dgh + n * H + j, dgx ? dgx + n * H + j : NULL, gate[n], gate[n],
				 part);
		store_part(dc_prev + j, e * f, part);
	}
}
