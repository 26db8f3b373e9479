package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// Retries reads and writes, because each write has an idempotency key. A delay from the server (grpc-retry-pushback-ms,
// sent with RetryInfo) replaces the backoff.
const serviceConfig = `{
  "loadBalancingConfig": [{"round_robin": {}}],
  "methodConfig": [{
    "name": [{}],
    "timeout": "20s",
    "retryPolicy": {
      "maxAttempts": 5,
      "initialBackoff": "0.2s",
      "maxBackoff": "5s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"]
    }
  }, {
    "name": [{"service": "ems.notifications.v1.EventService", "method": "Watch"}]
  }]
}`

// connect opens one connection for the process, to every address behind the name: EMS_GRPC is host:port, or
// dns:///name:port of a headless service.
func connect() (*grpc.ClientConn, error) {
	key := os.Getenv("EMS_API_KEY")
	if key == "" {
		return nil, errors.New("EMS_API_KEY is not set")
	}
	transport, err := transportCredentials()
	if err != nil {
		return nil, err
	}
	return grpc.NewClient(
		os.Getenv("EMS_GRPC"),
		grpc.WithTransportCredentials(transport),
		grpc.WithPerRPCCredentials(apiKey(key)),
		grpc.WithDefaultServiceConfig(serviceConfig),
		// Detects a server that vanished. The server closes connections that ping more often than every 10 s.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
	)
}

// transportCredentials returns TLS with the system's authorities (EMS_TLS=1) or that of EMS_CA_FILE, otherwise cleartext.
func transportCredentials() (credentials.TransportCredentials, error) {
	file := os.Getenv("EMS_CA_FILE")
	if file == "" && os.Getenv("EMS_TLS") == "" {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New(file + " has no certificate")
		}
	}
	return credentials.NewTLS(config), nil
}

// apiKey sends the key with every call.
type apiKey string

func (key apiKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(key)}, nil
}

// RequireTransportSecurity is false for cleartext within a cluster or on this machine.
func (apiKey) RequireTransportSecurity() bool { return false }
