/* muster_sdk_manifest PLUGIN.so OUT.toml: asks a freshly built plugin's entry what it is and writes
 * its manifest. Run by muster_add_plugin after linking. C11, also compiled as C++. */
#include <muster/abi/plugin.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A TOML basic string. */
static void put_string(FILE* out, const char* text) {
  const unsigned char* at;
  fputc('"', out);
  for (at = (const unsigned char*)text; *at != 0; ++at) {
    if (*at == '"' || *at == '\\') {
      fprintf(out, "\\%c", *at);
    } else if (*at < 0x20 || *at == 0x7f) {
      fprintf(out, "\\u%04x", *at);
    } else {
      fputc(*at, out);
    }
  }
  fputc('"', out);
}

static void put_text(FILE* out, const char* key, const char* value) {
  if (value == NULL) return;
  fprintf(out, ", %s = ", key);
  put_string(out, value);
}

static const char* type_name(int32_t type) {
  static const char* const names[] = {"bool", "int64", "float64", "string", "list"};
  return type >= 0 && type <= MUSTER_OPTION_LIST ? names[type] : "unknown";
}

static void put_option(FILE* out, const muster_option* option) {
  fputs("  { name = ", out);
  put_string(out, option->name);
  put_text(out, "type", type_name(option->type));
  put_text(out, "scope", option->scope == MUSTER_OPTION_GROUP ? "group" : "host");
  fprintf(out, ", config_type = %d", (int)option->config_type);
  if ((option->flags & MUSTER_OPTION_INTERNAL) != 0) fputs(", internal = true", out);
  put_text(out, "default", option->default_value);
  put_text(out, "min", option->min);
  put_text(out, "max", option->max);
  put_text(out, "one_of", option->one_of);
  put_text(out, "default_of", option->default_of);
  put_text(out, "min_of", option->min_of);
  put_text(out, "max_of", option->max_of);
  put_text(out, "above", option->above);
  put_text(out, "names", option->names);
  put_text(out, "doc", option->doc);
  put_text(out, "since", option->since);
  fputs(" },\n", out);
}

static void put_export(FILE* out, const muster_export* offered) {
  uint32_t i;
  fputs("\n[[export]]\ninterface = ", out);
  put_string(out, offered->interface_id);
  fputs("\nname = ", out);
  put_string(out, offered->name);
  fputs("\noptions = [\n", out);
  for (i = 0; i < offered->option_count; ++i) put_option(out, &offered->options[i]);
  fputs("]\nfeatures = [\n", out);
  for (i = 0; i < offered->feature_count; ++i) {
    const muster_feature* feature = &offered->features[i];
    fputs("  { name = ", out);
    put_string(out, feature->name);
    fprintf(out, ", min = %d, max = %d, default = %d },\n", feature->min, feature->max,
            feature->default_level);
  }
  fputs("]\n", out);
}

static void put_manifest(FILE* out, const muster_plugin* plugin) {
  uint32_t i;
  fputs("# Generated from the plugin's entry when it was built.\nid = ", out);
  put_string(out, plugin->id);
  fputs("\nversion = ", out);
  put_string(out, plugin->version);
  fputs("\nlicense = ", out);
  put_string(out, plugin->license);
  fprintf(out, "\nabi = \"%u.%u\"\n", (unsigned)plugin->abi_major, (unsigned)plugin->abi_minor);
  for (i = 0; i < plugin->export_count; ++i) put_export(out, &plugin->exports[i]);
}

/* What cannot be written down. The host looks closer; this is for whoever just built it. */
static const char* missing(const muster_plugin* plugin) {
  uint32_t i;
  if (plugin->id == NULL) return "an id";
  if (plugin->version == NULL) return "a version";
  if (plugin->license == NULL) return "a license";
  if (plugin->export_count != 0 && plugin->exports == NULL) return "its exports";
  for (i = 0; i < plugin->export_count; ++i) {
    const muster_export* offered = &plugin->exports[i];
    if (offered->interface_id == NULL || offered->name == NULL) {
      return "an interface and a name for each export";
    }
    if (offered->option_count != 0 && offered->options == NULL) return "its options";
    if (offered->feature_count != 0 && offered->features == NULL) return "its features";
  }
  return NULL;
}

static const muster_plugin* ask(const char* file) {
  muster_plugin_entry_fn entry;
  const muster_plugin* plugin;
  void* symbol;
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return NULL;
  }
  symbol = dlsym(library, MUSTER_PLUGIN_ENTRY_NAME);
  if (symbol == NULL) {
    fprintf(stderr, "%s does not export " MUSTER_PLUGIN_ENTRY_NAME "\n", file);
    return NULL;
  }
  memcpy(&entry, &symbol, sizeof entry);
  plugin = entry(MUSTER_ABI_MAJOR);
  if (plugin == NULL) {
    fprintf(stderr, "%s does not serve border major %d\n", file, MUSTER_ABI_MAJOR);
  } else if (missing(plugin) != NULL) {
    fprintf(stderr, "the entry of %s does not give %s\n", file, missing(plugin));
    plugin = NULL;
  }
  return plugin;
}

int main(int argc, char** argv) {
  const muster_plugin* plugin;
  FILE* out;
  int bad;
  if (argc != 3) {
    fputs("usage: muster_sdk_manifest PLUGIN.so OUT.toml\n", stderr);
    return 2;
  }
  plugin = ask(argv[1]);
  if (plugin == NULL) return 1;
  out = fopen(argv[2], "w");
  if (out == NULL) {
    perror(argv[2]);
    return 1;
  }
  put_manifest(out, plugin);
  bad = ferror(out);
  return fclose(out) != 0 || bad != 0 ? 1 : 0;
}
