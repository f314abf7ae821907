# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop_libraries.py: builds the libraries of other projects that a wheel contains: libzmq
without extras, libsodium, ncurses, utf8proc and zstd. So the wheel needs only the C library.

Four of them are compiled here file by file, with the settings below: their own configure scripts
would have to be made by autoconf first. ncurses brings its script along."""
import collections
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import urllib.request

# A release of a library. `package` is Debian's name of the source, `archive` the file that apt-get
# source gives on Debian 12, `upstream` the address of the same file. Nobody has tried the addresses
# yet. The checksum is of the file, so it does not matter where it came from.
Release = collections.namedtuple("Release", "name package archive sha256 upstream top licences")
RELEASES = (
    Release("libzmq", "zeromq3", "zeromq3_4.3.4.orig.tar.gz",
            "0ff5a531c9ffaf0dfdc7dc78d13d1383088f454896d252934c429b2554d10559",
            "https://github.com/zeromq/libzmq/archive/refs/tags/v4.3.4.tar.gz",
            "libzmq-4.3.4", ("COPYING", "COPYING.LESSER", "AUTHORS")),
    Release("libsodium", "libsodium", "libsodium_1.0.18.orig.tar.gz",
            "d59323c6b712a1519a5daf710b68f5e7fde57040845ffec53850911f10a5d4f4",
            "https://github.com/jedisct1/libsodium/archive/refs/tags/1.0.18.tar.gz",
            "libsodium-1.0.18", ("LICENSE", "AUTHORS")),
    Release("ncurses", "ncurses", "ncurses_6.4.orig.tar.gz",
            "6931283d9ac87c5073f30b6290c4c75f21632bb4fc3603ac8100812bed248159",
            "https://ftp.gnu.org/gnu/ncurses/ncurses-6.4.tar.gz",
            "ncurses-6.4", ("COPYING", "AUTHORS")),
    Release("utf8proc", "utf8proc", "utf8proc_2.8.0.orig.tar.gz",
            "a0a60a79fe6f6d54e7d411facbfcc867a6e198608f2cd992490e46f04b1bcecc",
            "https://github.com/JuliaStrings/utf8proc/archive/refs/tags/v2.8.0.tar.gz",
            "utf8proc-2.8.0", ("LICENSE.md",)),
    # Debian's own archive, without parts that are not compiled here: there is no other address.
    Release("zstd", "libzstd=1.5.4+dfsg2-5", "libzstd_1.5.4+dfsg2.orig.tar.xz",
            "8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953", "",
            "zstd-1.5.4", ("LICENSE",)),
)

# Where terminal descriptions lie on the distributions, and the terminals that work without any.
TERMINFO = ("/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo")
FALLBACKS = ("xterm", "xterm-256color", "xterm-color", "screen", "screen-256color", "tmux",
             "tmux-256color", "linux", "vt100", "vt220", "rxvt-unicode-256color", "alacritty",
             "dumb")

# The settings of libzmq: what its own configure script finds with glibc 2.17, and CURVE by
# libsodium. With the bundled tweetnacl a message costs 22 times as much.
ZMQ_SETTINGS = """
ZMQ_HAVE_LINUX ZMQ_HAVE_IPC ZMQ_IOTHREAD_POLLER_USE_EPOLL ZMQ_IOTHREAD_POLLER_USE_EPOLL_CLOEXEC
ZMQ_POLL_BASED_ON_POLL ZMQ_CACHELINE_SIZE=64 ZMQ_USE_CV_IMPL_STL11 ZMQ_HAVE_IFADDRS ZMQ_HAVE_UIO
ZMQ_HAVE_EVENTFD ZMQ_HAVE_EVENTFD_CLOEXEC ZMQ_HAVE_SO_PEERCRED ZMQ_HAVE_CURVE ZMQ_USE_LIBSODIUM
ZMQ_HAVE_ATOMIC_INTRINSICS HAVE_STRNLEN HAVE_IF_NAMETOINDEX ZMQ_HAVE_PTHREAD_SETNAME_2
ZMQ_HAVE_PTHREAD_SET_AFFINITY ZMQ_HAVE_SOCK_CLOEXEC ZMQ_HAVE_O_CLOEXEC ZMQ_HAVE_SO_BINDTODEVICE
ZMQ_HAVE_SO_KEEPALIVE ZMQ_HAVE_TCP_KEEPCNT ZMQ_HAVE_TCP_KEEPIDLE ZMQ_HAVE_TCP_KEEPINTVL
ZMQ_HAVE_SO_PRIORITY HAVE_FORK HAVE_CLOCK_GETTIME HAVE_MKDTEMP HAVE_ACCEPT4
""".split()
# Otherwise libzmq defines its own, which glibc 2.38 and later forbids.
ZMQ_STRLCPY = """#include <features.h>
#if __GLIBC_PREREQ(2, 38)
#define ZMQ_HAVE_STRLCPY 1
#endif
"""
# libsodium: those of every processor, and those of x86-64.
SODIUM_SETTINGS = """
CONFIGURED=1 NATIVE_LITTLE_ENDIAN=1 HAVE_C_VARARRAYS=1 HAVE_TI_MODE=1 HAVE_INLINE_ASM=1
HAVE_ATOMIC_OPS=1 HAVE_PTHREAD=1 HAVE_WEAK_SYMBOLS=1 HAVE_SYS_MMAN_H=1 HAVE_MMAP=1 HAVE_MPROTECT=1
HAVE_MLOCK=1 HAVE_MADVISE=1 HAVE_POSIX_MEMALIGN=1 HAVE_NANOSLEEP=1 HAVE_GETPID=1 HAVE_ALLOCA_H=1
HAVE_ALLOCA=1 DEV_MODE=0 SODIUM_STATIC=1
""".split()
SODIUM_X86 = """
HAVE_AMD64_ASM=1 HAVE_AVX_ASM=1 HAVE_CPUID=1 HAVE_MMINTRIN_H=1 HAVE_EMMINTRIN_H=1
HAVE_PMMINTRIN_H=1 HAVE_TMMINTRIN_H=1 HAVE_SMMINTRIN_H=1 HAVE_AVXINTRIN_H=1 HAVE_AVX2INTRIN_H=1
""".split()
# Files for newer processors, by their names. libsodium asks the processor before it uses them.
SODIUM_NEWER = (("avx2", "-mavx2"), ("sse41", "-msse4.1"), ("ssse3", "-mssse3"))
# No function may be visible outside the object that contains it; none may depend on where it lies.
FLAGS = ("-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-w")


def do(*command, folder, env=None):
    """Runs a step of the build. Returns its output, and prints the output if the step fails. An
    outer make has no influence on it."""
    given = {name: value for name, value in os.environ.items()
             if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DESTDIR")}
    given.update(env or {}, LC_ALL="C")
    try:
        done = subprocess.run(command, cwd=folder, env=given, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError as error:
        raise SystemExit("proftop: %s could not be run: %s" % (command[0], error)) from error
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise SystemExit("%s\nproftop: %s failed in %s" % (text[-4000:], command[0], folder))
    return text


class Tools:
    """A C and a C++ compiler with their archiver. `zig`: for glibc 2.17 on this machine (x86_64,
    aarch64), by the package ziglang."""

    def __init__(self, zig=None):
        self.machine, self.zig = zig or os.uname().machine, zig is not None
        if zig is None:
            self.cc = os.environ.get("CC", "cc").split()
            self.cxx = os.environ.get("CXX", "c++").split()
            self.ar, self.ranlib = ["ar"], ["ranlib"]
            # The compiler's archives: a job may have loaded other versions of these libraries.
            self.cxx_libraries = ["-l:libstdc++.a", "-l:libgcc_eh.a"]
            return
        import ziglang
        program = os.path.join(os.path.dirname(ziglang.__file__), "zig")
        target = ["-target", "%s-linux-gnu.2.17" % zig]
        self.cc, self.cxx = [program, "cc", *target], [program, "c++", *target]
        self.ar, self.ranlib = [program, "ar"], [program, "ranlib"]
        self.cxx_libraries = ["-lc++"]

    @property
    def is_foreign(self):
        """True if programs of this compiler do not run here."""
        return self.machine != os.uname().machine


def is_release(path, release):
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == release.sha256


def source_lists(folder):
    """Writes apt's sources of this machine into this folder, as sources of source packages."""
    os.mkdir(folder)
    for path in ("/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*.list"),
                 *glob.glob("/etc/apt/sources.list.d/*.sources")):
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = re.sub(r"(?m)^deb(?=\s)", "deb-src", file.read())
            with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as file:
                file.write(re.sub(r"(?m)^Types:.*", "Types: deb-src", text))


def fetch_by_apt(folder, releases):
    """Downloads source packages into this folder. apt checks their signatures. apt's own files are
    not changed, so any user may run it."""
    apt = os.path.join(folder, "apt")
    os.makedirs(os.path.join(apt, "lists", "partial"))
    source_lists(os.path.join(apt, "sources"))
    options = []
    for name, value in (("SourceList", "/dev/null"), ("SourceParts", apt + "/sources")):
        options += ["-o", "Dir::Etc::%s=%s" % (name, value)]
    options += ["-o", "Dir::State::Lists=%s/lists" % apt, "-o", "Dir::Cache=%s" % apt,
                "-o", "APT::Sandbox::User="]
    do("apt-get", *options, "update", folder=folder)
    do("apt-get", *options, "source", "--download-only", *[one.package for one in releases],
       folder=folder)
    shutil.rmtree(apt)


def fetch(folder, given=None):
    """Returns the paths of all archives. Takes them from the folder `given`, then from `folder`;
    downloads the others into `folder`, by apt or from upstream."""
    os.makedirs(folder, exist_ok=True)

    def found():
        return {one.name: path for place in (folder, given) if place
                for one in RELEASES for path in [os.path.join(place, one.archive)]
                if is_release(path, one)}
    reasons = []
    for way in (fetch_by_apt, fetch_from_upstream):
        missing = [one for one in RELEASES if one.name not in found()]
        if not missing:
            break
        with tempfile.TemporaryDirectory(dir=folder) as work:
            try:
                way(work, missing)
            except (SystemExit, OSError) as error:
                reasons.append("%s: %s" % (way.__name__, str(error)[-400:]))
            for one in missing:
                path = os.path.join(work, one.archive)
                if is_release(path, one):
                    os.replace(path, os.path.join(folder, one.archive))
    paths = found()
    for one in RELEASES:
        if one.name not in paths:
            raise SystemExit(
                "proftop: the source of %s could not be had: a file %s with the SHA-256 %s.\n"
                "Put it into a folder, and name the folder: script/wheel --sources FOLDER, or pip "
                "install . --config-settings sources=FOLDER. With the libraries of this system: "
                "pip install . --config-settings libraries=system\n%s"
                % (one.name, one.archive, one.sha256, "\n".join(reasons)))
    return paths


def fetch_from_upstream(folder, releases):
    for one in releases:
        if not one.upstream:
            continue
        with urllib.request.urlopen(one.upstream, timeout=60) as reply, \
                open(os.path.join(folder, one.archive), "wb") as file:
            shutil.copyfileobj(reply, file)


# ------------------------------------------------------------------------------------ building

def compile_all(tools, sources, flags, archive, folder, more=()):
    """Compiles these files, several at once, into one archive. `more`: (part of a file's name, a
    flag for such files)."""
    os.makedirs(folder, exist_ok=True)
    objects = []

    def compile_one(number, path):
        target = os.path.join(folder, "%03d.o" % number)
        compiler = tools.cxx if path.endswith(".cpp") else tools.cc
        others = [flag for part, flag in more if part in os.path.basename(path)]
        do(*compiler, *FLAGS, *flags, *others, "-c", path, "-o", target, folder=folder)
        return target

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, range(len(sources)), sorted(sources)))
    do(*tools.ar, "rcs", archive, *objects, folder=folder)


def sources_in(folder, *endings):
    return [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
            if name.endswith(endings)]


def build_libzmq(tools, top, prefix):
    with open(os.path.join(top, "src", "platform.hpp"), "w", encoding="ascii") as file:
        file.write("#pragma once\n" + ZMQ_STRLCPY + "".join(
            "#define %s %s\n" % tuple((one + "=1").split("=")[:2]) for one in ZMQ_SETTINGS))
    os.makedirs(os.path.join(prefix, "include"), exist_ok=True)
    for name in ("zmq.h", "zmq_utils.h"):
        shutil.copy(os.path.join(top, "include", name), os.path.join(prefix, "include"))
    web_sockets = re.compile(r"wss?_")  # left out: they need a library for SHA-1
    compile_all(tools, [path for path in sources_in(os.path.join(top, "src"), ".cpp")
                        if not web_sockets.match(os.path.basename(path))],
                ["-std=c++11", "-D_GNU_SOURCE", "-D_REENTRANT", "-D_THREAD_SAFE",
                 "-DZMQ_CUSTOM_PLATFORM_HPP", "-I" + os.path.join(top, "src"),
                 "-I" + os.path.join(top, "include"), "-I" + os.path.join(prefix, "include")],
                os.path.join(prefix, "lib", "libzmq.a"), os.path.join(top, "objects"))


def build_libsodium(tools, top, prefix):
    include = os.path.join(top, "src", "libsodium", "include")
    with open(os.path.join(include, "sodium", "version.h.in"), encoding="ascii") as file:
        text = file.read()
    with open(os.path.join(top, "configure.ac"), encoding="utf-8") as file:
        settings = dict(re.findall(r"^(SODIUM_LIBRARY_VERSION_M\w+)=(\d+)", file.read(), re.M))
    settings.update(VERSION=os.path.basename(top).split("-")[1], SODIUM_LIBRARY_MINIMAL_DEF="")
    with open(os.path.join(include, "sodium", "version.h"), "w", encoding="ascii") as file:
        file.write(re.sub(r"@(\w+)@", lambda found: settings[found[1]], text))
    shutil.copytree(include, os.path.join(prefix, "include"), dirs_exist_ok=True)
    settings = SODIUM_SETTINGS + (SODIUM_X86 if tools.machine == "x86_64" else [])
    compile_all(tools, sources_in(os.path.join(top, "src", "libsodium"), ".c", ".S"),
                ["-fno-strict-aliasing", "-I" + include, "-I" + os.path.join(include, "sodium"),
                 *["-D" + one for one in settings]],
                os.path.join(prefix, "lib", "libsodium.a"), os.path.join(top, "objects"),
                SODIUM_NEWER if tools.machine == "x86_64" else ())


def build_utf8proc(tools, top, prefix):
    shutil.copy(os.path.join(top, "utf8proc.h"), os.path.join(prefix, "include"))
    compile_all(tools, [os.path.join(top, "utf8proc.c")], ["-DUTF8PROC_STATIC"],
                os.path.join(prefix, "lib", "libutf8proc.a"), os.path.join(top, "objects"))


def build_zstd(tools, top, prefix):
    lib = os.path.join(top, "lib")
    shutil.copy(os.path.join(lib, "zstd.h"), os.path.join(prefix, "include"))
    sources = [path for part in ("common", "compress", "decompress")
               for path in glob.glob(os.path.join(lib, part, "*.c"))]
    compile_all(tools, sources, ["-DXXH_NAMESPACE=ZSTD_", "-DZSTD_DISABLE_ASM",
                                 "-DZSTD_LEGACY_SUPPORT=0", "-DZSTDLIB_VISIBLE=",
                                 "-DZSTDLIB_HIDDEN="],
                os.path.join(prefix, "lib", "libzstd.a"), os.path.join(top, "objects"))


def build_ncurses(tools, top, prefix):
    words = ["--prefix=" + prefix, "--with-pic", "--enable-widec", "--enable-pc-files=no",
             "--without-ada", "--without-cxx", "--without-cxx-binding", "--without-manpages",
             "--without-progs", "--without-tests", "--without-debug", "--without-gpm",
             "--without-dlsym", "--disable-db-install", "--disable-stripping",
             "--with-terminfo-dirs=" + ":".join(TERMINFO),
             "--with-default-terminfo-dir=/usr/share/terminfo",
             "--with-fallbacks=" + ",".join(FALLBACKS), "--with-xterm-kbs=del",
             "CC=" + " ".join(tools.cc), "CFLAGS=" + " ".join(FLAGS),
             "AR=" + " ".join(tools.ar), "RANLIB=" + " ".join(tools.ranlib)]
    if tools.zig:
        here = Tools(os.uname().machine)
        words += ["--host=%s-linux-gnu" % tools.machine, "--with-build-cc=" + " ".join(here.cc)]
    do("./configure", *words, folder=top)
    do("make", "-j%d" % (os.cpu_count() or 1), "libs", folder=top)
    do("make", "install.libs", "install.includes", folder=top)


def build_stub(tools, prefix):
    """An empty libgcc_s to link with: exceptions of other libraries pass through the adapters for
    Python, so these need the libgcc_s of the system. ziglang has none: its -lgcc_s links another
    unwinder."""
    source = os.path.join(prefix, "lib", "stub.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("void __gcc_personality_v0(void) {}\nvoid _Unwind_Resume(void) {}\n")
    do(*tools.cc, "-shared", "-nostdlib", "-fno-builtin", "-Wl,-soname,libgcc_s.so.1", source, "-o",
       os.path.join(prefix, "lib", "libunwinder.so"), folder=prefix)


BUILDERS = {"libsodium": build_libsodium, "libzmq": build_libzmq, "ncurses": build_ncurses,
            "utf8proc": build_utf8proc, "zstd": build_zstd}


def build(prefix, tools, archives):
    """Builds all libraries into this folder, unless they are there: lib/*.a, include/ and
    licences/. `archives`: the paths of their sources, by name."""
    stamp = os.path.join(prefix, "built")
    wanted = " ".join([*tools.cc, *sorted(one.sha256 for one in RELEASES)])
    if os.path.isfile(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == wanted:
                return
    shutil.rmtree(prefix, ignore_errors=True)
    for name in ("lib", "include", "licences"):
        os.makedirs(os.path.join(prefix, name))
    releases = {one.name: one for one in RELEASES}
    with tempfile.TemporaryDirectory(prefix="proftop-libraries-") as work:
        for name, builder in BUILDERS.items():
            one = releases[name]
            with tarfile.open(archives[name]) as archive:
                archive.extractall(work)
            top = os.path.join(work, one.top)
            for licence in one.licences:
                shutil.copyfile(os.path.join(top, licence),
                                os.path.join(prefix, "licences", "%s.%s" % (name, licence)))
            builder(tools, top, prefix)
    if tools.zig:
        build_stub(tools, prefix)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)


def configure_words(prefix, tools):
    """The arguments of proftop's configure that link these libraries."""
    lib = os.path.join(prefix, "lib")
    include = "-I" + os.path.join(prefix, "include")
    more = ["UNWIND_LIBS=-L%s -lunwinder" % lib] if tools.zig else []
    zmq = [os.path.join(lib, "libzmq.a"), os.path.join(lib, "libsodium.a"), *tools.cxx_libraries]
    return [*more, "ZMQ_CFLAGS=" + include, "ZMQ_LIBS=" + " ".join(zmq),
            "CURSES_CFLAGS=%s %s/ncursesw" % (include, include),
            "CURSES_LIBS=" + os.path.join(lib, "libncursesw.a"),
            "UTF8PROC_CFLAGS=%s -DUTF8PROC_STATIC" % include,
            "UTF8PROC_LIBS=" + os.path.join(lib, "libutf8proc.a"),
            "ZSTD_CFLAGS=" + include, "ZSTD_LIBS=" + os.path.join(lib, "libzstd.a")]
