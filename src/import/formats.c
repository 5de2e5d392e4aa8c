/* formats.c - the formats, one row each. The first of two that are equally likely is taken. */
#include "import/formats.h"
#include "base/buf.h"

#include <string.h>

/* clang-format off */
static const struct format formats[] = {
	/* name, in words, extensions, text, rows, padded, any_base, one_link, line, probe, read */
	{"attnscope", "traces of attnscope", ".json .jsonl", true, RAW_TARGET, false, false, false, true, own_probe, own_read},
	{"npy", "a NumPy array", ".npy", false, RAW_UNKNOWN, true, false, false, false, npy_probe, npy_read},
	{"npz", "NumPy arrays, laid out as Hugging Face models return attention", ".npz", false, RAW_UNKNOWN, true, false, false, false, npz_probe, npz_read},
	{"safetensors", "tensors, laid out as Hugging Face models return attention", ".safetensors", false, RAW_UNKNOWN, true, false, false, false, safetensors_probe, safetensors_read},
	{"ctranslate2", "results of CTranslate2 as JSON", ".json", true, RAW_TARGET, false, false, false, true, ctranslate2_probe, ctranslate2_read},
	{"notebook", "a Jupyter notebook with BertViz, Tensor2Tensor or CircuitsVis", ".ipynb", true, RAW_UNKNOWN, false, false, false, false, notebook_probe, notebook_read},
	{"bertviz", "a page of BertViz", ".html", true, RAW_TARGET, false, false, false, false, bertviz_probe, bertviz_read},
	{"tensor2tensor", "attention of Tensor2Tensor", ".json .js", true, RAW_UNKNOWN, false, false, false, false, t2t_probe, t2t_read},
	{"circuitsvis", "attention heads of CircuitsVis", ".json .html", true, RAW_UNKNOWN, false, false, false, false, circuitsvis_probe, circuitsvis_read},
	{"inspectus", "a page of Inspectus", ".html", true, RAW_UNKNOWN, false, false, false, false, inspectus_probe, inspectus_read},
	{"exbert", "one layer of the server of exBERT", ".json", true, RAW_TARGET, false, false, false, false, exbert_probe, exbert_read},
	{"llm-viz", "tensors of llm-viz", ".json", true, RAW_TARGET, false, false, false, false, llmviz_probe, llmviz_read},
	{"inseq", "attributions of Inseq", ".json", true, RAW_TARGET, false, false, false, false, inseq_probe, inseq_read},
	{"pointer-generator", "attention of a pointer-generator network", ".json", true, RAW_TARGET, false, false, false, false, pointer_probe, pointer_read},
	{"nematus-json", "alignments of Nematus as JSON", ".json", true, RAW_TARGET, false, false, false, false, nematus_json_probe, nematus_json_read},
	{"sockeye-json", "alignments of Sockeye 1 as JSON", ".json", true, RAW_TARGET, false, false, false, true, sockeye_json_probe, sockeye_json_read},
	{"fairseq", "output of fairseq-generate --print-alignment", ".txt .log", true, RAW_TARGET, false, false, false, false, fairseq_probe, fairseq_read},
	{"nematus", "matrices of Nematus, OpenNMT (Lua) or AmuNMT", ".txt", true, RAW_TARGET, true, false, false, false, nematus_probe, nematus_read},
	{"sockeye", "matrices of Sockeye 1", ".txt", true, RAW_SOURCE, false, false, false, false, sockeye_probe, sockeye_read},
	{"sockeye-text", "alignments that Sockeye 1 drew as text", ".txt", true, RAW_TARGET, false, false, false, false, sockeye_text_probe, sockeye_text_read},
	{"opennmt-tf", "output of OpenNMT-tf with_alignments", ".txt", true, RAW_TARGET, true, false, false, true, opennmt_tf_probe, opennmt_tf_read},
	{"marian", "Marian or AmuNMT --alignment, or OpenNMT-py --report_align", ".txt", true, RAW_TARGET, true, false, true, true, marian_probe, marian_read},
	{"opennmt-py", "the log of OpenNMT-py --attn_debug", ".log .txt", true, RAW_TARGET, false, false, false, false, opennmt_py_probe, opennmt_py_read},
	{"bitext", "texts and links with tabs between (Sockeye 1, Picaro)", ".tsv", true, RAW_TARGET, false, true, false, true, bitext_probe, bitext_read},
	{"pharaoh", "links i-j, one sentence a line", ".align .gold", true, RAW_TARGET, false, true, false, true, pharaoh_probe, pharaoh_read},
	{"table", "one matrix, comma or tab separated", ".csv .tsv", true, RAW_UNKNOWN, false, false, false, false, table_probe, table_read},
};
/* clang-format on */

const struct format *format_at(size_t i)
{
	return i < sizeof formats / sizeof *formats ? &formats[i] : NULL;
}

const struct format *format_find(const char *name, struct err *err)
{
	const struct format *f;
	struct buf names = {0};

	for (size_t i = 0; (f = format_at(i)); i++) {
		if (strcmp(f->name, name) == 0) {
			buf_free(&names);
			return f;
		}
		buf_printf(&names, "%s%s", i ? ", " : "", f->name);
	}
	err_set(err, ERR_USAGE, "there is no format \"%.40s\": %s", name, buf_str(&names));
	buf_free(&names);
	return NULL;
}
