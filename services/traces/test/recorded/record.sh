#!/usr/bin/env bash
# Makes all recordings again. Usage: record.sh FOLDER, where FOLDER receives the packages of each environment.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

# python ENVIRONMENT PACKAGE...
python() {
  environment=$1
  shift
  [ -d "$environment" ] && return
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet "$@"
}

# javascript ENVIRONMENT PACKAGE...
javascript() {
  environment=$1
  shift
  [ -d "$environment" ] && return
  mkdir "$environment"
  npm install --silent --no-audit --no-fund --legacy-peer-deps --prefix "$environment" "$@" \
    @opentelemetry/api@1.9.1 @opentelemetry/sdk-trace-node@2 @opentelemetry/resources@2 \
    @opentelemetry/exporter-trace-otlp-proto
}

# record INSTRUMENTATION VERSION, in the environment above
record() {
  file=$here/$1-$2.bin
  if [ -x "$environment/bin/python" ]; then
    "$environment/bin/python" "$here/record.py" "$file" "$1"
  else
    (cd "$environment" && node "$here/record.mjs" "$file" "$1")
  fi
}

python py-2026-11 opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.2 openai==3.57.0 \
  anthropic==2.14.0 opentelemetry-instrumentation-openai==0.62.4 opentelemetry-instrumentation-anthropic==0.62.4 \
  openinference-instrumentation-openai==0.1.66 openinference-instrumentation-anthropic==3.1.0 \
  'pydantic-ai-slim[openai,anthropic]==2.68.0'
record openllmetry_openai 0.62.4
record openllmetry_anthropic 0.62.4
record openinference_openai 0.1.66
record openinference_anthropic 3.1.0
record pydantic_ai_openai 2.68.0
record pydantic_ai_anthropic 2.68.0

python py-2026-11-frameworks opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.2 openai==3.57.0 \
  anthropic==2.14.0 langchain-openai==1.7.4 langchain-anthropic==1.7.10 openai-agents==0.24.0 \
  openinference-instrumentation-langchain==0.1.80 opentelemetry-instrumentation-langchain==0.62.4 \
  openinference-instrumentation-openai-agents==2.6.0
record openinference_langchain_openai 0.1.80
record openinference_langchain_anthropic 0.1.80
record openllmetry_langchain_openai 0.62.4
record openllmetry_langchain_anthropic 0.62.4
record openinference_agents_openai 2.6.0

python py-2026-11-graphs opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.2 anthropic==2.14.0 \
  langchain-anthropic==1.7.10 langgraph==1.2.24 openinference-instrumentation-langchain==0.1.80 \
  openinference-instrumentation-anthropic==3.1.0 opentelemetry-instrumentation-langchain==0.62.4 \
  opentelemetry-instrumentation-anthropic==0.62.4
record openinference_langgraph_anthropic 0.1.80
record openllmetry_langgraph_anthropic 0.62.4

# Before Anthropic's SDK created spans, no span had the response id of a stream.
python py-2025-12-graphs opentelemetry-sdk==1.38.0 opentelemetry-exporter-otlp-proto-http==1.38.0 anthropic==0.75.0 \
  langchain-anthropic==1.3.1 langgraph==1.2.24 openinference-instrumentation-langchain==0.1.80 \
  openinference-instrumentation-anthropic==0.1.20 'wrapt<2'
record openinference_langgraph_anthropic 0.1.20

python py-2025-12 opentelemetry-sdk==1.38.0 opentelemetry-exporter-otlp-proto-http==1.38.0 openai==2.8.0 \
  anthropic==0.75.0 opentelemetry-instrumentation-openai==0.50.1 opentelemetry-instrumentation-anthropic==0.50.1 \
  openinference-instrumentation-openai==0.1.41 openinference-instrumentation-anthropic==0.1.20 'wrapt<2' \
  'pydantic-ai-slim[openai,anthropic]==1.0.18' genai-prices==0.0.30
record openllmetry_openai 0.50.1
record openllmetry_anthropic 0.50.1
record openinference_openai 0.1.41
record openinference_anthropic 0.1.20
record pydantic_ai_openai 1.0.18
record pydantic_ai_anthropic 1.0.18
# Later versions of the price package do not read this version's usage: it states neither input nor cost.
python py-2025-12-prices opentelemetry-sdk==1.38.0 opentelemetry-exporter-otlp-proto-http==1.38.0 openai==2.8.0 \
  anthropic==0.75.0 'pydantic-ai-slim[openai,anthropic]==1.0.18' genai-prices==0.2.3
record pydantic_ai_anthropic 1.0.18-unpriced

python py-2025-06 opentelemetry-sdk==1.34.1 opentelemetry-exporter-otlp-proto-http==1.34.1 openai==1.86.0 \
  anthropic==0.54.0 opentelemetry-instrumentation-openai==0.40.14 opentelemetry-instrumentation-anthropic==0.40.14 \
  openinference-instrumentation-openai==0.1.30 openinference-instrumentation-anthropic==0.1.18 'wrapt<2' \
  'pydantic-ai-slim[openai,anthropic]==0.2.20'
record openllmetry_openai 0.40.14
record openllmetry_anthropic 0.40.14
record openinference_openai 0.1.30
record openinference_anthropic 0.1.18
record pydantic_ai_openai 0.2.20
record pydantic_ai_anthropic 0.2.20

javascript ai-4 ai@4.3.19 @ai-sdk/openai@1.3.24 @ai-sdk/anthropic@1.2.12 zod@3.25.76
record ai_openai 4.3.19
record ai_anthropic 4.3.19
javascript ai-5 ai@5.0.277 @ai-sdk/openai@2.0.131 @ai-sdk/anthropic@2.0.112 zod@3.25.76
record ai_openai 5.0.277
record ai_anthropic 5.0.277
javascript ai-6 ai@6.0.326 @ai-sdk/openai@3.0.141 @ai-sdk/anthropic@3.0.140 zod@4.6.7
record ai_openai 6.0.326
record ai_anthropic 6.0.326
javascript ai-7 ai@7.0.173 @ai-sdk/otel@1.0.173 @ai-sdk/openai@4.0.118 @ai-sdk/anthropic@4.0.105 zod@4.6.7
record ai_openai 7.0.173
record ai_anthropic 7.0.173

javascript js-2026-11 openai@6.49.0 @anthropic-ai/sdk@1.14.0 @arizeai/openinference-instrumentation-openai@4.2.7 \
  @arizeai/openinference-instrumentation-anthropic@0.2.8 @traceloop/instrumentation-openai@0.27.0
record openinference_openai js-4.2.7
record openinference_anthropic js-0.2.8
record traceloop_openai 0.27.0

javascript js-before openai@5.23.2 @anthropic-ai/sdk@0.71.2 @arizeai/openinference-instrumentation-openai@2.3.1 \
  @arizeai/openinference-instrumentation-anthropic@0.1.10 @traceloop/instrumentation-openai@0.21.0 \
  @traceloop/instrumentation-anthropic@0.22.2
record openinference_openai js-2.3.1
record openinference_anthropic js-0.1.10
record traceloop_openai 0.21.0
record traceloop_anthropic 0.22.2
