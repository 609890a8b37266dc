/* entry_is_pure PLUGIN.so: calls the entry three times and compares what it says and what the
 * process holds; then asks it to serve another major. Exit code 0 = as promised. */
#include <muster/abi/plugin.h>

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

static unsigned entries(const char* folder) {
  unsigned count = 0;
  DIR* open = opendir(folder);
  if (open == NULL) return 0;
  while (readdir(open) != NULL) ++count;
  closedir(open);
  return count;
}

struct held {
  unsigned files, threads;
  size_t heap;
};

static struct held now(void) {
  struct held out;
  out.files = entries("/proc/self/fd");
  out.threads = entries("/proc/self/task");
  out.heap = mallinfo2().uordblks;
  return out;
}

static int fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

static int check(muster_plugin_entry_fn entry) {
  muster_plugin copy;
  struct held before, after;
  const muster_plugin* first;
  int i;
  (void)now(); /* the first look allocates */
  before = now();
  first = entry(MUSTER_ABI_MAJOR);
  if (first == NULL) return fail("the entry does not serve this major");
  copy = *first;
  for (i = 0; i < 2; ++i) {
    const muster_plugin* again = entry(MUSTER_ABI_MAJOR);
    if (again != first || memcmp(again, &copy, sizeof copy) != 0) {
      return fail("the entry says something else at another call");
    }
  }
  after = now();
  if (after.files != before.files) return fail("the entry opened files");
  if (after.threads != before.threads) return fail("the entry started threads");
  if (after.heap != before.heap) return fail("the entry allocated");
  if (entry(MUSTER_ABI_MAJOR + 1) != NULL) return fail("the entry serves another major");
  return 0;
}

int main(int argc, char** argv) {
  muster_plugin_entry_fn entry;
  void* symbol;
  void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) return fail(argc == 2 ? dlerror() : "usage: entry_is_pure PLUGIN.so");
  symbol = dlsym(library, MUSTER_PLUGIN_ENTRY_NAME);
  if (symbol == NULL) return fail("no entry");
  memcpy(&entry, &symbol, sizeof entry);
  return check(entry);
}
