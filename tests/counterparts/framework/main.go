// A provider that uses what terraform-plugin-framework can do, for tests with a real one.
//
// Protocol 6 has nested attributes, protocol 5 has not: FRAMEWORK_PROTOCOL=5 serves without them.
package main

import (
	"context"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/metaschema"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var protocol = 6

func main() {
	if os.Getenv("FRAMEWORK_PROTOCOL") == "5" {
		protocol = 5
	}
	err := providerserver.Serve(
		context.Background(),
		func() provider.Provider { return frameworkProvider{} },
		providerserver.ServeOpts{
			Address:         "registry.opentofu.org/example/framework",
			ProtocolVersion: protocol,
		},
	)
	if err != nil {
		log.Fatal(err)
	}
}

type frameworkProvider struct{}

func (frameworkProvider) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "framework"
	response.Version = "1.0.0"
}

func (frameworkProvider) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		MarkdownDescription: "Everything that **frameworks** can do.",
		Attributes: map[string]schema.Attribute{
			"zone":  schema.StringAttribute{Optional: true, Description: "The zone of all things."},
			"token": schema.StringAttribute{Optional: true, Sensitive: true},
		},
		Blocks: map[string]schema.Block{
			"retry": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{"times": schema.Int64Attribute{Required: true}},
			}},
		},
	}
}

func (frameworkProvider) MetaSchema(_ context.Context, _ provider.MetaSchemaRequest, response *provider.MetaSchemaResponse) {
	response.Schema = metaschema.Schema{Attributes: map[string]metaschema.Attribute{
		"module": metaschema.StringAttribute{Optional: true},
	}}
}

func (frameworkProvider) ValidateConfig(ctx context.Context, request provider.ValidateConfigRequest, response *provider.ValidateConfigResponse) {
	var zone types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("zone"), &zone)...)
	if zone.ValueString() == "nowhere" {
		response.Diagnostics.AddAttributeError(path.Root("zone"), "No such zone", "There is no zone of this name.")
	}
}

func (frameworkProvider) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var zone types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("zone"), &zone)...)
	if zone.IsUnknown() && request.ClientCapabilities.DeferralAllowed {
		response.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
	}
	response.ResourceData = zone.ValueString()
}

func (frameworkProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return &thing{} },
		func() resource.Resource { return label{} },
	}
}

func (frameworkProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return things{} }}
}

func (frameworkProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return token{} }}
}

func (frameworkProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		func() function.Function { return join{} },
		func() function.Function { return echo{} },
		func() function.Function { return total{} },
	}
}

func (frameworkProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{func() list.ListResource { return &thing{} }}
}

func (frameworkProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return notify{} }}
}
