package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// ledger is the effect of this program. It stores id and effect in one write, so that both exist or neither. With a database, insert
// the id in the transaction of the effect, and skip the event if the id exists.
type ledger struct {
	file *os.File
	ids  map[string]struct{}
}

type entry struct {
	Id            string `json:"id"`
	ApplicationId string `json:"applicationId"`
	Case          string `json:"case"`
	Title         string `json:"title,omitempty"`
}

func openLedger(path string) (*ledger, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	opened := &ledger{file, map[string]struct{}{}}
	lines := json.NewDecoder(bufio.NewReader(file))
	for {
		var noted entry
		if err := lines.Decode(&noted); errors.Is(err, io.EOF) {
			return opened, nil
		} else if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		opened.ids[noted.Id] = struct{}{}
	}
}

func (l *ledger) has(id string) bool {
	_, isThere := l.ids[id]
	return isThere
}

func (l *ledger) add(noted entry) error {
	line, err := json.Marshal(noted)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	l.ids[noted.Id] = struct{}{}
	return nil
}

func (l *ledger) Close() error {
	return l.file.Close()
}
