// SPDX-License-Identifier: GPL-2.0-only
/*
 * klog.c - reads /dev/kmsg, one message a read
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "klog.h"

int klog_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int klog_count(int fd, const char *text)
{
	char message[8192];
	int count = 0;
	ssize_t len;

	for (;;) {
		len = read(fd, message, sizeof(message) - 1);
		if (len < 0 && errno == EAGAIN)
			return count;
		if (len <= 0)
			return -1;
		message[len] = 0;
		if (strstr(message, text))
			count++;
	}
}
