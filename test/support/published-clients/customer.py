"""What a customer's program does with the published PyPI client, unmodified: it reads its address and key from the environment.

The test reads the one line of JSON that it prints.
"""

import json
import os
import urllib.request

from dograh_sdk import DograhClient, Workflow, typed
from dograh_sdk._generated_models import CreateToolRequest, CreateWorkflowRequest, InitiateCallRequest
from dograh_sdk.errors import ApiError, SpecMismatchError


def status_of(request):
    try:
        return request()
    except ApiError as error:
        return [error.status_code, error.body["detail"]]
    except SpecMismatchError as error:
        return type(error).__name__


def copy_of(template):
    """The client has no call for templates."""
    headers = {"X-API-Key": os.environ["DOGRAH_API_KEY"], "Content-Type": "application/json"}
    body = json.dumps({"template_id": template, "workflow_name": f"Copy of {template}"}).encode()
    request = urllib.request.Request(os.environ["DOGRAH_API_URL"] + "/api/v1/workflow/templates/duplicate", body, headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["id"]


client = DograhClient()
types = client.list_node_types()

workflow = Workflow(client=client, name="Built by a client")
start = workflow.add_typed(typed.StartCall(prompt="Greet", greeting="Hello {{first_name}}"))
day = typed.agent_node.AgentNode_Extraction_variablesRow(name="day", type="string", prompt="The day")
ask = workflow.add_typed(typed.AgentNode(prompt="Ask for a day", extraction_enabled=True, extraction_variables=[day]))
end = workflow.add_typed(typed.EndCall(prompt="Say goodbye"))
workflow.add_typed(typed.GlobalNode(prompt="You are kind."))
header = typed.webhook.Webhook_Custom_headersRow(key="X-Source", value="call")
workflow.add_typed(typed.Webhook(endpoint_url="https://crm.example.com/in", custom_headers=[header]))
workflow.add_typed(typed.Qa())
workflow.add_typed(typed.Trigger())
workflow.add_typed(typed.Tuner(tuner_agent_id="a", tuner_workspace_id=3, tuner_api_key="tuner-key-1234"))
workflow.edge(start, ask, label="Begin", condition="The user answered")
workflow.edge(ask, end, label="Done", condition="A day is agreed")

created = client.create_workflow(body=CreateWorkflowRequest(name=workflow.name, workflow_definition=workflow.to_json()))
loaded = client.load_workflow(created.id)
loaded.name = "Renamed by a client"
saved = client.save_workflow(created.id, loaded)
again = client.load_workflow(created.id)
tool = client.create_tool(body=CreateToolRequest.model_validate({"name": "Adding", "category": "calculator", "definition": {"type": "calculator"}}))
call = InitiateCallRequest(workflow_id=created.id, phone_number="+491511234567")

print(
    json.dumps(
        {
            "spec_version": types.spec_version,
            "node_types": [each.name for each in types.node_types],
            "id": created.id,
            "saved": [saved.version_number, saved.version_status, saved.name],
            "is_same": again.to_json() == loaded.to_json(),
            "workflows": [[each.id, each.name] for each in client.list_workflows(status="active")],
            "tool": tool.tool_uuid,
            "tools": [each.tool_uuid for each in client.list_tools()],
            "credentials": client.list_credentials(),
            "documents": client.list_documents(limit=5).documents,
            "recordings": client.list_recordings(workflow_id=created.id).recordings,
            "call": status_of(lambda: client.test_phone_call(body=call)),
            "copies": [client.load_workflow(copy_of(template)).name for template in [1, 2, 3, 4, 5, 6]],
            "unknown_type": status_of(lambda: DograhClient().get_node_type("no-such")),
            "unknown_agent": status_of(lambda: client.load_workflow(999_999))[0],
        }
    )
)
