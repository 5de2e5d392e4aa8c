#include "cli/save.h"

#include "export/export.h"

int save_shown(const struct ui *ui, const char *file, struct err *err)
{
	const struct export_format *f = export_format_of_file(file, err);
	const struct trace *t = ui->producer->trace(ui->producer->self);
	struct export_options o = {
		.normal = ui->normal, .colour_map = ui->colour_map, .numbers = ui->numbers};

	if (!f)
		return -1;
	if (!t)
		return err_set(err, ERR_MISSING, "there is no sentence yet");
	return export_file(t, f, &o, file, err);
}
