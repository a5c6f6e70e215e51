// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * list.c - the regions that sysfs knows
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct dfx_list_entry {
	unsigned int number;
	char name[32];
	char subsystem[32];
	char parent[96];
};

struct dfx_list {
	unsigned int count;
	struct dfx_list_entry *entry;
};

static void read_attr(const char *class_dir, const char *name,
		      const char *attr, char *out, size_t size)
{
	char path[PATH_MAX];
	FILE *f;

	out[0] = '\0';
	snprintf(path, sizeof(path), "%s/%s/%s", class_dir, name, attr);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(out, (int)size, f))
		out[strcspn(out, "\n")] = '\0';
	else
		out[0] = '\0';
	fclose(f);
}

/* "dfx12" is number 12; nothing else is a region. */
static int region_number(const char *name, unsigned int *number)
{
	char *end;
	unsigned long n;

	if (strncmp(name, "dfx", 3) || !isdigit((unsigned char)name[3]))
		return -EINVAL;
	errno = 0;
	n = strtoul(name + 3, &end, 10);
	if (*end || errno || n > INT_MAX)
		return -EINVAL;
	*number = (unsigned int)n;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct dfx_list_entry *x = a;
	const struct dfx_list_entry *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int list_add(struct dfx_list *list, const char *class_dir,
		    const char *name, unsigned int number)
{
	struct dfx_list_entry *e;

	e = realloc(list->entry, (list->count + 1) * sizeof(*e));
	if (!e)
		return -ENOMEM;
	list->entry = e;
	e += list->count++;
	e->number = number;
	snprintf(e->name, sizeof(e->name), "dfx%u", number);
	/* "subsystem" is a link that the kernel's driver core makes itself. */
	read_attr(class_dir, name, "subsys", e->subsystem,
		  sizeof(e->subsystem));
	read_attr(class_dir, name, "parent", e->parent, sizeof(e->parent));
	return 0;
}

int dfx_list_read(const char *class_dir, struct dfx_list **out)
{
	struct dfx_list *list;
	struct dirent *de;
	DIR *dir;
	int ret = 0;

	list = calloc(1, sizeof(*list));
	if (!list)
		return -ENOMEM;

	dir = opendir(class_dir);
	if (!dir && errno != ENOENT) {
		ret = -errno;
		goto err_free;
	}
	while (dir && (de = readdir(dir))) {
		unsigned int number;

		if (region_number(de->d_name, &number))
			continue;
		ret = list_add(list, class_dir, de->d_name, number);
		if (ret)
			break;
	}
	if (dir)
		closedir(dir);
	if (ret)
		goto err_free;

	if (list->count)
		qsort(list->entry, list->count, sizeof(*list->entry),
		      by_number);
	*out = list;
	return 0;

err_free:
	dfx_list_free(list);
	return ret;
}

int dfx_list_new(struct dfx_list **out)
{
	return dfx_list_read("/sys/class/dfx", out);
}

void dfx_list_free(struct dfx_list *list)
{
	if (!list)
		return;
	free(list->entry);
	free(list);
}

unsigned int dfx_list_count(const struct dfx_list *list)
{
	return list->count;
}

const char *dfx_list_name(const struct dfx_list *list, unsigned int i)
{
	return i < list->count ? list->entry[i].name : NULL;
}

const char *dfx_list_subsystem(const struct dfx_list *list, unsigned int i)
{
	return i < list->count ? list->entry[i].subsystem : NULL;
}

const char *dfx_list_parent(const struct dfx_list *list, unsigned int i)
{
	return i < list->count ? list->entry[i].parent : NULL;
}

int dfx_list_resolve(const struct dfx_list *list, const char *dev,
		     const char **name)
{
	const char *found = NULL;
	char numbered[32];
	unsigned int i;

	snprintf(numbered, sizeof(numbered), "dfx%s", dev);
	for (i = 0; i < list->count; i++) {
		const struct dfx_list_entry *e = &list->entry[i];

		if (!strcmp(e->name, dev) || !strcmp(e->name, numbered)) {
			*name = e->name;
			return 0;
		}
		if (strcmp(e->subsystem, dev))
			continue;
		if (found)
			return -ENOTUNIQ;
		found = e->name;
	}
	if (!found)
		return -ENOENT;
	*name = found;
	return 0;
}
