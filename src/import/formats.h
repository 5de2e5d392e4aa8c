/* formats.h - the readers: for each format NAME, NAME_probe() and NAME_read() as struct format has them. */
#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include "import/raw.h"

#define READERS(X)                                                                                 \
	X(own) X(npy) X(npz) X(safetensors) X(ctranslate2) X(notebook) X(bertviz) X(t2t)               \
	X(circuitsvis) X(inspectus) X(exbert) X(llmviz) X(inseq) X(pointer) X(nematus_json) X(sockeye_json) \
	X(fairseq) X(nematus) X(sockeye) X(sockeye_text) X(opennmt_tf) X(marian) X(opennmt_py) X(bitext) X(pharaoh) X(table)

#define X(name)                                                                                    \
	int name##_probe(const char *bytes, size_t len);                                           \
	int name##_read(struct reader *r);
READERS(X)
#undef X

#endif
