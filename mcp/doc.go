// Package mcp lets agents ask, tell and look by the Model Context Protocol: four tools over one study of a room. It knows the protocol's
// own Go SDK and package live, and nothing of stores or terminals.
package mcp
