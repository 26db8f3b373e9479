// Command ems-client demonstrates each kind of call: go run . topic | tasks | report | trace | watch [TOKEN]
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	catalog "example.com/ems-client/gen/ems/catalog/v1"
	reporting "example.com/ems-client/gen/ems/reporting/v1"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	connection, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	commands := map[string]func(context.Context, *grpc.ClientConn) error{
		"topic": createTopic, "tasks": listTasks, "report": runReport, "trace": sendTrace, "watch": watch,
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		log.Fatal("topic, tasks, report, trace or watch?")
	}
	if err := commands[os.Args[1]](ctx, connection); err != nil {
		log.Fatal(explain(err))
	}
}

// createTopic writes under an idempotency key, so that a retry creates no second topic.
func createTopic(ctx context.Context, connection *grpc.ClientConn) error {
	ctx = metadata.AppendToOutgoingContext(ctx, "idempotency-key", rand.Text())
	var headers metadata.MD
	answer, err := catalog.NewTopicServiceClient(connection).CreateTopic(
		ctx, &catalog.CreateTopicRequest{Title: "Opening an account"}, grpc.Header(&headers),
	)
	if err != nil {
		return err
	}
	fmt.Println("topic", answer.GetData().GetId(), "by request", headers.Get("x-request-id")[0])
	return nil
}

// listTasks reads page by page, with a deadline for each.
func listTasks(ctx context.Context, connection *grpc.ClientConn) error {
	tasks := catalog.NewTaskServiceClient(connection)
	for skip, total := int64(0), int64(1); skip < total; skip += 100 {
		page, err := listPage(ctx, tasks, skip)
		if err != nil {
			return err
		}
		for _, task := range page.GetData() {
			fmt.Println("task", task.GetId(), task.GetTitle())
		}
		total = page.GetPagination().GetTotal()
	}
	return nil
}

func listPage(ctx context.Context, tasks catalog.TaskServiceClient, skip int64) (*catalog.ListTasksResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return tasks.ListTasks(ctx, &catalog.ListTasksRequest{Skip: proto.Int64(skip), Limit: proto.Int32(100)})
}

func runReport(ctx context.Context, connection *grpc.ClientConn) error {
	answer, err := reporting.NewReportingServiceClient(connection).QueryReport(ctx, &reporting.QueryReportRequest{
		Datasource:   "topic",
		Timezone:     "Europe/Copenhagen",
		Measurements: []*reporting.ReportMeasurement{{Type: "count"}},
	})
	if err != nil {
		return err
	}
	for _, row := range answer.GetData().GetResults() {
		fmt.Println("report", row.AsMap())
	}
	return nil
}

// sendTrace sends one span like OpenTelemetry's exporters, which use the same address and header.
func sendTrace(ctx context.Context, connection *grpc.ClientConn) error {
	now := uint64(time.Now().UnixNano())
	span := &trace.Span{
		TraceId: random(16), SpanId: random(8), Name: "chat", StartTimeUnixNano: now - 1e9, EndTimeUnixNano: now,
		Attributes: []*common.KeyValue{{
			Key:   "gen_ai.operation.name",
			Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: "chat"}},
		}},
	}
	_, err := collector.NewTraceServiceClient(connection).Export(ctx, &collector.ExportTraceServiceRequest{
		ResourceSpans: []*trace.ResourceSpans{{ScopeSpans: []*trace.ScopeSpans{{Spans: []*trace.Span{span}}}}},
	})
	if err != nil {
		return err
	}
	fmt.Printf("trace %x\n", span.TraceId)
	return nil
}

func random(length int) []byte {
	bytes := make([]byte, length)
	rand.Read(bytes)
	return bytes
}

// explain prints the details of an error: the stable reason, and the fields of an invalid request.
func explain(err error) string {
	found := status.Convert(err)
	text := fmt.Sprintf("%s: %s", found.Code(), found.Message())
	for _, detail := range found.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			text += fmt.Sprintf("\n  reason %s", detail.GetReason())
		case *errdetails.BadRequest:
			for _, field := range detail.GetFieldViolations() {
				text += fmt.Sprintf("\n  %s: %s", field.GetField(), field.GetDescription())
			}
		}
	}
	return text
}
