// Webhook receiver in Go without modules: verifies each delivery and prints the event's type.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	bodyBytesMax = 1 << 20
)

// isSigned reports whether the product signed body, the raw bytes, within the last five minutes.
func isSigned(key []byte, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// After a rotation, there are two signatures, separated by a space.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("WEBHOOK_SECRET must be the webhook's secret, whsec_…")
	}
	address := "127.0.0.1:8080"
	if port := os.Getenv("PORT"); port != "" {
		address = "127.0.0.1:" + port
	}
	var seen sync.Map
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err != nil || !isSigned(key, request.Header, body) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		// Delivery is at least once: store ids with the effect for 14 days.
		if _, known := seen.LoadOrStore(request.Header.Get("webhook-id"), true); !known {
			event := struct{ Type string }{"a prompt"}
			_ = json.Unmarshal(body, &event)
			fmt.Println(event.Type)
		}
		// Respond immediately and work later: the product waits 15 seconds.
		response.WriteHeader(http.StatusNoContent)
	})
	fmt.Println("Listening on http://" + address)
	log.Fatal(http.ListenAndServe(address, nil))
}
