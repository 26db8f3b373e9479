"""Records what an instrumentation in Python sends for calls whose prompts are cached (README.md).

Usage: python record.py FILE INSTRUMENTATION, where the instrumentation is one of the functions below.
"""

import asyncio
import sys
from inspect import signature

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

import server

url = server.start(sys.argv[1])
provider = TracerProvider(resource=Resource({"service.name": "teller"}))
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url + "/v1/traces", compression=Compression.Gzip)))
trace.set_tracer_provider(provider)


def ask(name):
    """Starts a span of the application. Its name begins with the word of the usage."""
    return trace.get_tracer("application").start_as_current_span(name)


def asked(word):
    return [{"role": "user", "content": server.question + word}]


def call_openai():
    from openai import OpenAI

    client = OpenAI(base_url=url + "/v1", api_key="none")
    common = {"model": "gpt-5-mini", "messages": asked("read")}
    with ask("read"):
        client.chat.completions.create(**common)
    with ask("read stream"):
        list(client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **common))
    with ask("read responses"):
        client.responses.create(model="gpt-5-mini", input=server.question + "read")


def call_anthropic():
    from anthropic import Anthropic

    client = Anthropic(base_url=url, api_key="none")
    for word in "read", "write", "hour":
        common = {"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": asked(word)}
        with ask(word):
            client.messages.create(**common)
        with ask(f"{word} stream"):
            list(client.messages.create(stream=True, **common))


def openllmetry_openai():
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    call_openai()


def openllmetry_anthropic():
    from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

    # As Traceloop's SDK does; newer versions need no option.
    options = signature(AnthropicInstrumentor.__init__).parameters
    AnthropicInstrumentor(**({"enrich_token_usage": True} if "enrich_token_usage" in options else {})).instrument()
    call_anthropic()


def openinference_openai():
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument()
    call_openai()


def openinference_anthropic():
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument()
    call_anthropic()


def run_agent(model, words):
    from pydantic_ai import Agent

    Agent.instrument_all()
    agent = Agent(model)

    async def stream(word):
        async with agent.run_stream(server.question + word) as result:
            await result.get_output()

    async def run():
        for word in words:
            with ask(word):
                await agent.run(server.question + word)
            with ask(f"{word} stream"):
                await stream(word)

    asyncio.run(run())


def pydantic_ai_openai():
    from pydantic_ai.models import openai
    from pydantic_ai.providers.openai import OpenAIProvider

    models = [getattr(openai, "OpenAIChatModel", None) or openai.OpenAIModel, openai.OpenAIResponsesModel]
    for model in models:
        run_agent(model("gpt-5-mini", provider=OpenAIProvider(base_url=url + "/v1", api_key="none")), ["read"])


def pydantic_ai_anthropic():
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(base_url=url, api_key="none")
    model = AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(anthropic_client=client))
    run_agent(model, ["read", "write", "hour"])


def call_langchain(model, words):
    for word in words:
        with ask(word):
            model.invoke(server.question + word)
        with ask(f"{word} stream"):
            list(model.stream(server.question + word))


def call_langchain_openai():
    from langchain_openai import ChatOpenAI

    common = {"model": "gpt-5-mini", "base_url": url + "/v1", "api_key": "none", "stream_usage": True}
    call_langchain(ChatOpenAI(**common), ["read"])


def call_langchain_anthropic():
    from langchain_anthropic import ChatAnthropic

    model = ChatAnthropic(model="claude-sonnet-4-5", base_url=url, api_key="none", max_tokens=100)
    call_langchain(model, ["read", "write", "hour"])


def openinference_langchain_openai():
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
    call_langchain_openai()


def openinference_langchain_anthropic():
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
    call_langchain_anthropic()


def openllmetry_langchain_openai():
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument()
    call_langchain_openai()


def openllmetry_langchain_anthropic():
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument()
    call_langchain_anthropic()


def call_langgraph_anthropic():
    """Nodes of a graph that stream the same question: one, and two at the same time."""
    from langchain_anthropic import ChatAnthropic
    from langgraph.graph import START, MessagesState, StateGraph

    model = ChatAnthropic(model="claude-sonnet-4-5", base_url=url, api_key="none", max_tokens=100)

    def answer(state):
        chunks = list(model.stream(state["messages"]))
        return {"messages": [("assistant", chunk.text) for chunk in chunks if chunk.text]}

    for word in "read", "write", "hour":
        for name, nodes in (f"{word} stream", ["one"]), (f"{word} parallel", ["one", "two"]):
            graph = StateGraph(MessagesState)
            for node in nodes:
                graph.add_node(node, answer)
                graph.add_edge(START, node)
            with ask(name):
                graph.compile().invoke({"messages": asked(word)})


def openinference_langgraph_anthropic():
    from openinference.instrumentation.anthropic import AnthropicInstrumentor
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument()
    AnthropicInstrumentor().instrument()
    call_langgraph_anthropic()


def openllmetry_langgraph_anthropic():
    from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument()
    AnthropicInstrumentor().instrument()
    call_langgraph_anthropic()


def openinference_agents_openai():
    from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner
    from openai import AsyncOpenAI
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

    OpenAIAgentsInstrumentor().instrument()
    client = AsyncOpenAI(base_url=url + "/v1", api_key="none")
    for model in OpenAIChatCompletionsModel, OpenAIResponsesModel:
        agent = Agent(name="teller", model=model(model="gpt-5-mini", openai_client=client))
        with ask("read responses" if model is OpenAIResponsesModel else "read"):
            Runner.run_sync(agent, server.question + "read")


globals()[sys.argv[2]]()
provider.shutdown()
