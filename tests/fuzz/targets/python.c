/* libFuzzer over compiled modules: each input is handed to the function `execute` of tests.fuzz.targets.NAME, where NAME is
 * the first argument. An exception is a finding. With --python instead of a name, this is the interpreter, whose sanitizers
 * the modules need. `python -m tests.fuzz.targets.build` compiles it; docs/robustness.md says how to run it. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*execute)(const uint8_t *data, size_t size));

static PyObject *function;

static void require(int fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "%s\n", what);
    if (PyErr_Occurred()) PyErr_Print();
    exit(2);
}

/* Memory comes from malloc, byte by byte, so that the address sanitizer sees where each object ends. */
static void start(const char *name) {
    PyPreConfig before;
    PyConfig config;
    char module[200];
    PyObject *found;
    PyPreConfig_InitPythonConfig(&before);
    before.allocator = PYMEM_ALLOCATOR_MALLOC;
    require(!PyStatus_Exception(Py_PreInitialize(&before)), "Python does not start");
    PyConfig_InitPythonConfig(&config);
    PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
    require(!PyStatus_Exception(Py_InitializeFromConfig(&config)), "Python does not start");
    PyConfig_Clear(&config);
    snprintf(module, sizeof module, "tests.fuzz.targets.%s", name);
    found = PyImport_ImportModule(module);
    require(found != NULL, "there is no such target");
    function = PyObject_GetAttrString(found, "execute");
    require(function != NULL, "there is no such target");
}

static int execute(const uint8_t *data, size_t size) {
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)data, (Py_ssize_t)size);
    PyObject *result = bytes ? PyObject_CallOneArg(function, bytes) : NULL;
    if (result == NULL) {
        PyErr_Print();
        abort();
    }
    Py_DECREF(result);
    Py_DECREF(bytes);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--python")) {
        argv[1] = PYTHON;
        return Py_BytesMain(argc - 1, argv + 1);
    }
    if (argc < 2) {
        fprintf(stderr, "usage: %s TARGET [options of libFuzzer] [corpus folder]\n       %s --python [arguments]\n", argv[0], argv[0]);
        return 2;
    }
    start(argv[1]);
    argv[1] = argv[0];
    argc--;
    argv++;
    return LLVMFuzzerRunDriver(&argc, &argv, execute);
}
