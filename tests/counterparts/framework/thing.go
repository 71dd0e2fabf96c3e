package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// thing is a resource with attributes and blocks of every kind.
type thing struct{ zone string }

func (*thing) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "framework_thing"
}

func (t *thing) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	t.zone, _ = request.ProviderData.(string)
}

func (*thing) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	optional := schema.StringAttribute{Optional: true}
	computed := schema.StringAttribute{Computed: true}
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	replace := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	attributes := map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true, PlanModifiers: replace, MarkdownDescription: "The *name*."},
		"id":      schema.StringAttribute{Computed: true, PlanModifiers: keep},
		"text":    schema.StringAttribute{Optional: true, DeprecationMessage: "Use `words`."},
		"default": schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("d")},
		"flag":    schema.BoolAttribute{Optional: true},
		"whole":   schema.Int64Attribute{Optional: true},
		"small":   schema.Int32Attribute{Optional: true},
		"double":  schema.Float64Attribute{Optional: true, Computed: true, Default: float64default.StaticFloat64(0.1)},
		"single":  schema.Float32Attribute{Optional: true},
		"exact":   schema.NumberAttribute{Optional: true},
		"words":   schema.ListAttribute{ElementType: types.StringType, Optional: true},
		"names":   schema.SetAttribute{ElementType: types.StringType, Optional: true},
		"tags":    schema.MapAttribute{ElementType: types.StringType, Optional: true, Computed: true},
		"size": schema.ObjectAttribute{Optional: true, AttributeTypes: map[string]attr.Type{
			"x": types.NumberType, "names": types.ListType{ElemType: types.StringType},
		}},
		"any":              schema.DynamicAttribute{Optional: true},
		"secret":           schema.StringAttribute{Optional: true, Sensitive: true},
		"password":         schema.StringAttribute{Optional: true, WriteOnly: true},
		"password_version": schema.Int64Attribute{Optional: true},
		"protected":        schema.BoolAttribute{Optional: true},
		"postpone":         schema.BoolAttribute{Optional: true},
		"revision":         schema.Int64Attribute{Computed: true},
	}
	if protocol == 6 {
		object := schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"set": optional, "given": computed, "either": schema.StringAttribute{Optional: true, Computed: true},
		}}
		attributes["one"] = schema.SingleNestedAttribute{Optional: true, Attributes: object.Attributes}
		attributes["many"] = schema.ListNestedAttribute{Optional: true, NestedObject: object}
		attributes["several"] = schema.SetNestedAttribute{Optional: true, NestedObject: object}
		attributes["named"] = schema.MapNestedAttribute{Optional: true, NestedObject: object}
	}
	part := map[string]schema.Attribute{"size": schema.NumberAttribute{Required: true}, "device": computed}
	leaf := schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
		Attributes: map[string]schema.Attribute{"set": optional},
	}}
	response.Schema = schema.Schema{
		Version:             1,
		MarkdownDescription: "A thing.",
		Attributes:          attributes,
		Blocks: map[string]schema.Block{
			"limits": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{"size": schema.NumberAttribute{Optional: true}}},
			"disk":   schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: part, Blocks: map[string]schema.Block{"leaf": leaf}}},
			"rule":   schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: part}},
		},
	}
}

func (*thing) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, response *resource.IdentitySchemaResponse) {
	response.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"name": identityschema.StringAttribute{RequiredForImport: true, Description: "The name."},
		"zone": identityschema.StringAttribute{OptionalForImport: true},
	}}
}

func (*thing) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	var text types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("text"), &text)...)
	if text.ValueString() == "wrong" {
		response.Diagnostics.AddAttributeError(path.Root("text"), "A wrong text", "No thing has it.")
	}
}

func (*thing) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	var protected, postpone types.Bool
	if !request.State.Raw.IsNull() {
		response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("protected"), &protected)...)
	}
	if request.Plan.Raw.IsNull() {
		if protected.ValueBool() {
			response.Diagnostics.AddAttributeError(path.Root("protected"), "The thing is protected", "")
		}
		return
	}
	response.Diagnostics.Append(request.Plan.GetAttribute(ctx, path.Root("postpone"), &postpone)...)
	if postpone.ValueBool() && request.ClientCapabilities.DeferralAllowed {
		response.Deferred = &resource.Deferred{Reason: resource.DeferredReasonAbsentPrereq}
	}
}

func (t *thing) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	response.State.Raw = filled(request.Plan.Raw)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("revision"), 1)...)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "made", []byte(`{"by":"create"}`))...)
	t.identify(ctx, response.Identity.SetAttribute, request.Plan.GetAttribute)
}

func (*thing) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	response.State.Raw = request.State.Raw
	var text types.String
	response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("text"), &text)...)
	if text.ValueString() == "gone" {
		response.State.RemoveResource(ctx)
	}
}

func (t *thing) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	made, diagnostics := request.Private.GetKey(ctx, "made")
	response.Diagnostics.Append(diagnostics...)
	if string(made) != `{"by":"create"}` && string(made) != `{"by":"import"}` {
		response.Diagnostics.AddError("Private state is lost", fmt.Sprintf("%q", made))
	}
	var revision int64
	response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("revision"), &revision)...)
	response.State.Raw = filled(request.Plan.Raw)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("revision"), revision+1)...)
}

func (*thing) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
}

func (t *thing) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("name"), path.Root("name"), request, response)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("id"), "id-imported")...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("revision"), 1)...)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "made", []byte(`{"by":"import"}`))...)
	t.identify(ctx, response.Identity.SetAttribute, response.State.GetAttribute)
}

func (*thing) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	prior := schema.Schema{Attributes: map[string]schema.Attribute{
		"title": schema.StringAttribute{Required: true},
		"id":    schema.StringAttribute{Computed: true},
	}}
	return map[int64]resource.StateUpgrader{0: {
		PriorSchema: &prior,
		StateUpgrader: func(ctx context.Context, request resource.UpgradeStateRequest, response *resource.UpgradeStateResponse) {
			// The state has no type yet, unlike in other calls.
			response.State.Raw = tftypes.NewValue(response.State.Schema.Type().TerraformType(ctx), nil)
			var title, id types.String
			response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("title"), &title)...)
			response.Diagnostics.Append(request.State.GetAttribute(ctx, path.Root("id"), &id)...)
			response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("name"), title)...)
			response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("id"), id)...)
		},
	}}
}

func (*thing) MoveState(context.Context) []resource.StateMover {
	prior := labelSchema()
	return []resource.StateMover{{
		SourceSchema: &prior,
		StateMover: func(ctx context.Context, request resource.MoveStateRequest, response *resource.MoveStateResponse) {
			if request.SourceTypeName != "framework_label" || request.SourceState == nil {
				return
			}
			var name types.String
			response.Diagnostics.Append(request.SourceState.GetAttribute(ctx, path.Root("name"), &name)...)
			response.Diagnostics.Append(response.TargetState.SetAttribute(ctx, path.Root("name"), name)...)
			response.Diagnostics.Append(response.TargetState.SetAttribute(ctx, path.Root("id"), "id-moved")...)
		},
	}}
}

func (*thing) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, response *list.ListResourceSchemaResponse) {
	response.Schema = listschema.Schema{Attributes: map[string]listschema.Attribute{
		"prefix": listschema.StringAttribute{Optional: true},
	}}
}

func (*thing) List(ctx context.Context, request list.ListRequest, stream *list.ListResultsStream) {
	var prefix types.String
	diagnostics := request.Config.GetAttribute(ctx, path.Root("prefix"), &prefix)
	if diagnostics.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diagnostics)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		for number := int64(0); number < request.Limit && number < 3; number++ {
			name := fmt.Sprintf("%s%d", prefix.ValueString(), number)
			result := request.NewListResult(ctx)
			result.DisplayName = "Thing " + name
			result.Diagnostics.Append(result.Identity.SetAttribute(ctx, path.Root("name"), name)...)
			if request.IncludeResource {
				result.Diagnostics.Append(result.Resource.SetAttribute(ctx, path.Root("name"), name)...)
			}
			if !push(result) {
				return
			}
		}
	}
}

func (t *thing) identify(ctx context.Context, set func(context.Context, path.Path, any) diag.Diagnostics, get func(context.Context, path.Path, any) diag.Diagnostics) {
	var name types.String
	get(ctx, path.Root("name"), &name)
	set(ctx, path.Root("name"), name)
	if t.zone != "" {
		set(ctx, path.Root("zone"), t.zone)
	}
}

// filled gives every unknown value a value.
func filled(raw tftypes.Value) tftypes.Value {
	known, err := tftypes.Transform(raw, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		switch {
		case value.IsKnown():
			return value, nil
		case value.Type().Is(tftypes.String):
			return tftypes.NewValue(tftypes.String, "given"), nil
		case value.Type().Is(tftypes.Number):
			return tftypes.NewValue(tftypes.Number, 7), nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	if err != nil {
		panic(err)
	}
	return known
}
