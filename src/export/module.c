#include "export/module.h"
#include "base/fs.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where module `name` should be: beside the program in a build folder, else in its PREFIX/LIBDIR.
 */
static int find(const char *name, char *out, size_t size, struct err *err)
{
	char folder[PATH_MAX];
	int n = 0;

	if (fs_program_folder(folder, sizeof folder))
		return err_set(err, ERR_MISSING,
			       "attnscope-%s.so is needed for this format, and the folder of the "
			       "program is unknown: is /proc mounted",
			       name);
	n = snprintf(out, size, "%s/attnscope-%s.so", folder, name);
	if (n < (int)size && access(out, R_OK) == 0)
		return 0;
	if (LIBDIR[0] == '/')
		n = snprintf(out, size, "%s/attnscope/attnscope-%s.so", LIBDIR, name);
	else
		n = snprintf(out, size, "%s/../%s/attnscope/attnscope-%s.so", folder, LIBDIR, name);
	if (n < (int)size && access(out, R_OK) == 0)
		return 0;
	return err_set(
		err, ERR_MISSING,
		"attnscope-%s.so is needed for this format and is neither beside the "
		"program nor in %.150s/attnscope: install attnscope again, or take html, tex, "
		"csv or safetensors",
		name, LIBDIR);
}

const struct module *module_open(const char *name, struct err *err)
{
	char path[2 * PATH_MAX];
	const struct module *m;
	void *lib;

	if (find(name, path, sizeof path, err))
		return NULL;
	/* never closed: its libraries keep data of threads and at exit */
	lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		err_set(err, ERR_MISSING,
			"this format needs a library that cannot be loaded: %.300s", dlerror());
		return NULL;
	}
	m = dlsym(lib, MODULE_SYMBOL);
	if (m && strcmp(m->version, ATTNSCOPE_VERSION) == 0)
		return m;
	err_set(err, ERR_MISSING,
		"is not of version " ATTNSCOPE_VERSION " of attnscope: install it again");
	err_at_file(err, path);
	return NULL;
}
