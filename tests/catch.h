// Catch2 of either major version.
#ifndef VAA_TESTS_CATCH_H
#define VAA_TESTS_CATCH_H
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
#endif
