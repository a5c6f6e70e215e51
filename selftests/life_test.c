#include "kselftest_harness.h"
#include "dfx_test_util.h"
TEST_HARNESS_MAIN
