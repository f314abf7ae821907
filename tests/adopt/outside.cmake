# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The CMakeLists.txt of a project outside the tree: packages.py puts it beside copies
# of engine.c and scopes.cc in a folder of its own.
cmake_minimum_required(VERSION 3.13)
project(outside C CXX)
set(CMAKE_C_STANDARD 99)
set(CMAKE_CXX_STANDARD 11)
find_package(Threads REQUIRED)
find_package(proftop 0.1 REQUIRED)
find_package(proftop 0.1 REQUIRED) # a second time, as parts of a project do

foreach(form proftop dynamic off)
    add_executable(engine_${form} engine.c)
    target_compile_definitions(engine_${form} PRIVATE PROFTOP_ALONE)
    target_link_libraries(engine_${form} PRIVATE proftop::${form} Threads::Threads)
    add_executable(scopes_${form} scopes.cc)
    target_link_libraries(scopes_${form} PRIVATE proftop::${form} Threads::Threads)
endforeach()
