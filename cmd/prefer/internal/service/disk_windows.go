package service

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// freeSpace returns the bytes this user may still write in a folder.
func freeSpace(folder string) (free uint64, known bool, err error) {
	path, err := windows.UTF16PtrFromString(folder)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	}
	if err != nil {
		return 0, false, fmt.Errorf("room in %s: %w", folder, err)
	}
	return free, true, nil
}
