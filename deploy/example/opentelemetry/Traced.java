// An application that OpenTelemetry's Java agent traces: one question, one retrieval, one call of a model.
// OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS set the destination.

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;

class Traced {
  private static final Tracer tracer = GlobalOpenTelemetry.getTracer("bank-assistant");

  public static void main(String[] arguments) {
    Span root = tracer.spanBuilder("answer").startSpan();
    // The prompt's testId, if it came from a test; this trace is then its answer.
    String testId = System.getenv("TEST_ID");
    if (testId != null) root.setAttribute("ems.test.id", testId);
    root.setAttribute("session.id", "session-1").setAttribute("user.id", "customer-7");
    try (var scope = root.makeCurrent()) {
      Span retrieval = tracer.spanBuilder("retrieval").startSpan();
      retrieval.setAttribute("gen_ai.operation.name", "retrieval");
      retrieval.setAttribute("gen_ai.retrieval.query.text", "cost of an account");
      retrieval.end();

      Span chat = tracer.spanBuilder("chat example-model").startSpan();
      chat.setAttribute("gen_ai.operation.name", "chat");
      chat.setAttribute("gen_ai.request.model", "example-model");
      chat.setAttribute("gen_ai.input.messages", messages("user", "What does an account cost?"));
      chat.setAttribute("gen_ai.output.messages", messages("assistant", "Nothing for the first two years."));
      chat.setAttribute("gen_ai.usage.input_tokens", 128);
      chat.setAttribute("gen_ai.usage.output_tokens", 32);
      chat.end();
    }
    root.end();
    System.out.println(root.getSpanContext().getTraceId());
  }

  private static String messages(String role, String content) {
    return """
        [{"role": "%s", "parts": [{"type": "text", "content": "%s"}]}]""".formatted(role, content);
  }
}
