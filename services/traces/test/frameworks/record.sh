#!/usr/bin/env bash
# Makes all recordings again with the newest versions. Usage: record.sh FOLDER [FRAMEWORK], where FOLDER receives the
# packages of each environment. RECORDINGS is the folder of the recordings, by default that of this file.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
recordings=${RECORDINGS:-$here}
only=${2:-}
mkdir -p "$1"
cd "$1"

# record FRAMEWORK VERSIONED_PACKAGE PACKAGE...
record() {
  framework=$1
  package=$2
  [ -z "$only" ] || [ "$only" = "$framework" ] || return 0
  if [ ! -d "$framework" ]; then
    python3 -m venv "$framework"
    "$framework/bin/pip" install --quiet "${@:2}" opentelemetry-sdk opentelemetry-exporter-otlp-proto-http
  fi
  version=$("$framework/bin/python" -c "from importlib.metadata import version; print(version('$package'))")
  rm -f "$recordings/$framework"-[0-9]*.bin
  "$framework/bin/python" "$here/record.py" "$recordings/$framework-$version.bin" "$framework"
}

# record_js FRAMEWORK VERSIONED_PACKAGE PACKAGE...
record_js() {
  framework=$1
  package=$2
  [ -z "$only" ] || [ "$only" = "$framework" ] || return 0
  if [ ! -d "$framework" ]; then
    mkdir "$framework"
    npm install --loglevel error --prefix "$framework" "${@:2}" @ai-sdk/openai zod '@opentelemetry/exporter-trace-otlp-proto@<0.300'
  fi
  version=$(node -p "require('./$framework/node_modules/$package/package.json').version")
  rm -f "$recordings/$framework"-[0-9]*.bin
  cp "$here/record.mjs" "$framework"
  coproc server { python3 "$here/server.py" "$recordings/$framework-$version.bin"; }
  read -r facts <&"${server[0]}"
  node "$framework/record.mjs" "$framework" "$facts"
  exec {server[1]}>&-
  wait "$server_PID" || true
}

record openai_agents openai-agents openinference-instrumentation-openai-agents
record claude_agent_sdk claude-agent-sdk openinference-instrumentation-claude-agent-sdk
record langgraph langgraph langchain langchain-openai openinference-instrumentation-langchain
record langgraph_openllmetry langgraph langchain langchain-openai opentelemetry-instrumentation-langchain
record llama_index llama-index-core llama-index-llms-openai openinference-instrumentation-llama-index
record pydantic_ai pydantic-ai-slim 'pydantic-ai-slim[openai]'
record langfuse langfuse openai
record mlflow mlflow-skinny openai numpy pandas
# Laminar's instrumentation of OpenAI does not load with later versions of OpenTelemetry.
record laminar lmnr openai 'opentelemetry-sdk<1.39'
record agent_framework agent-framework-core agent-framework-openai
record autogen autogen-agentchat 'autogen-ext[openai]' openinference-instrumentation-autogen-agentchat
record crewai crewai openinference-instrumentation-crewai openinference-instrumentation-openai
# The spans of DSPy have no tokens: those of LiteLLM, which it calls, do.
record dspy dspy openinference-instrumentation-dspy openinference-instrumentation-litellm
record google_adk google-adk 'google-adk>=2.10' openinference-instrumentation-google-adk
record google_adk_builtin google-adk 'google-adk>=2.10'
record haystack haystack-ai openinference-instrumentation-haystack
record semantic_kernel semantic-kernel
record smolagents smolagents 'smolagents[openai]' openinference-instrumentation-smolagents
record strands strands-agents 'strands-agents[openai]'
# The AI SDK's package requires version 2 of OpenTelemetry.
sdk=(@opentelemetry/context-async-hooks@2 @opentelemetry/resources@2 @opentelemetry/sdk-trace-node@2)
record_js ai_sdk ai @ai-sdk/otel "${sdk[@]}"
record_js mastra @mastra/core @mastra/observability @mastra/otel-exporter
record_js mcp @modelcontextprotocol/sdk ai @ai-sdk/otel @ai-sdk/mcp "${sdk[@]}"
