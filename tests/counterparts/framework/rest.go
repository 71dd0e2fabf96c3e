package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// label is a resource that can only be made and removed, and whose state can become a thing's.
type label struct{}

func labelSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}}
}

func (label) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "framework_label"
}

func (label) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = labelSchema()
}

func (label) Create(_ context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	response.State.Raw = request.Plan.Raw
	response.Diagnostics.AddWarning("A label was made", "It does nothing.")
}

func (label) Read(_ context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	response.State.Raw = request.State.Raw
}

func (label) Update(_ context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	response.Diagnostics.AddError("A label cannot be changed", "")
}

func (label) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// things is a data source.
type things struct{}

func (things) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = "framework_things"
}

func (things) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"prefix": dataschema.StringAttribute{Required: true},
		"names":  dataschema.SetAttribute{ElementType: types.StringType, Computed: true},
		"sizes":  dataschema.MapAttribute{ElementType: types.Float64Type, Computed: true},
	}}
}

func (things) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var prefix types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("prefix"), &prefix)...)
	if prefix.ValueString() == "" {
		response.Diagnostics.AddAttributeError(path.Root("prefix"), "No prefix", "Name one.")
		return
	}
	one, two := prefix.ValueString()+"1", prefix.ValueString()+"2"
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("prefix"), prefix)...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("names"), []string{one, two})...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("sizes"), map[string]float64{one: 0.1, two: 1e30})...)
}

// token is an ephemeral resource.
type token struct{}

func (token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = "framework_token"
}

func (token) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = ephemeralschema.Schema{Attributes: map[string]ephemeralschema.Attribute{
		"length": ephemeralschema.Int64Attribute{Required: true},
		"value":  ephemeralschema.StringAttribute{Computed: true, Sensitive: true},
	}}
}

func (token) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var length int64
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("length"), &length)...)
	response.Diagnostics.Append(response.Result.SetAttribute(ctx, path.Root("length"), length)...)
	response.Diagnostics.Append(response.Result.SetAttribute(ctx, path.Root("value"), strings.Repeat("x", int(length)))...)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "renewals", []byte("0"))...)
	response.RenewAt = time.Now().Add(time.Hour)
}

func (token) Renew(ctx context.Context, request ephemeral.RenewRequest, response *ephemeral.RenewResponse) {
	renewals, diagnostics := request.Private.GetKey(ctx, "renewals")
	response.Diagnostics.Append(diagnostics...)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "renewals", fmt.Appendf(nil, "1%s", renewals))...)
	response.RenewAt = time.Now().Add(time.Hour)
}

func (token) Close(ctx context.Context, request ephemeral.CloseRequest, response *ephemeral.CloseResponse) {
	renewals, diagnostics := request.Private.GetKey(ctx, "renewals")
	response.Diagnostics.Append(diagnostics...)
	response.Diagnostics.AddWarning("The token is closed", string(renewals))
}

// join is a function with a variadic parameter that can refuse an argument.
type join struct{}

func (join) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "join"
}

func (join) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary:            "Joins parts.",
		Parameters:         []function.Parameter{function.StringParameter{Name: "separator"}},
		VariadicParameter:  function.StringParameter{Name: "parts", AllowNullValue: true},
		Return:             function.StringReturn{},
		DeprecationMessage: "Use the core's join.",
	}
}

func (join) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var separator string
	var parts []*string
	response.Error = function.ConcatFuncErrors(response.Error, request.Arguments.Get(ctx, &separator, &parts))
	if strings.Contains(separator, " ") {
		response.Error = function.NewArgumentFuncError(0, "A separator has no spaces.")
		return
	}
	var present []string
	for _, part := range parts {
		if part != nil {
			present = append(present, *part)
		}
	}
	response.Error = function.ConcatFuncErrors(response.Error, response.Result.Set(ctx, strings.Join(present, separator)))
}

// echo is a function that gives back any value.
type echo struct{}

func (echo) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "echo"
}

func (echo) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary: "Gives back a value.",
		Parameters: []function.Parameter{
			function.DynamicParameter{Name: "value", AllowNullValue: true, AllowUnknownValues: true},
		},
		Return: function.DynamicReturn{},
	}
}

func (echo) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var value types.Dynamic
	response.Error = function.ConcatFuncErrors(response.Error, request.Arguments.Get(ctx, &value))
	response.Error = function.ConcatFuncErrors(response.Error, response.Result.Set(ctx, value))
}

// total is a function of objects.
type total struct{}

func (total) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "total"
}

func (total) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	row := types.ObjectType{AttrTypes: map[string]attr.Type{"name": types.StringType, "count": types.Int64Type}}
	response.Definition = function.Definition{
		MarkdownDescription: "Adds the *counts* of rows.",
		Parameters:          []function.Parameter{function.ListParameter{Name: "rows", ElementType: row}},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"total": types.Int64Type, "names": types.SetType{ElemType: types.StringType},
		}},
	}
}

func (total) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var rows []struct {
		Name  string `tfsdk:"name"`
		Count int64  `tfsdk:"count"`
	}
	response.Error = function.ConcatFuncErrors(response.Error, request.Arguments.Get(ctx, &rows))
	sum := struct {
		Total int64    `tfsdk:"total"`
		Names []string `tfsdk:"names"`
	}{}
	for _, row := range rows {
		sum.Total += row.Count
		sum.Names = append(sum.Names, row.Name)
	}
	response.Error = function.ConcatFuncErrors(response.Error, response.Result.Set(ctx, sum))
}

// notify is an action.
type notify struct{}

func (notify) Metadata(_ context.Context, _ action.MetadataRequest, response *action.MetadataResponse) {
	response.TypeName = "framework_notify"
}

func (notify) Schema(_ context.Context, _ action.SchemaRequest, response *action.SchemaResponse) {
	response.Schema = actionschema.Schema{Attributes: map[string]actionschema.Attribute{
		"message": actionschema.StringAttribute{Required: true},
	}}
}

func (notify) Invoke(ctx context.Context, request action.InvokeRequest, response *action.InvokeResponse) {
	var message string
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("message"), &message)...)
	response.SendProgress(action.InvokeProgressEvent{Message: "sending " + message})
	if message == "" {
		response.Diagnostics.AddError("There is no message", "")
	}
}
