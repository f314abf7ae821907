# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""readers.py: the programs of others read what proftop exports: Debian's prometheus and
promtool, the reader of prometheus_client, pandas, DuckDB and markdown-it-py."""
import csv
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

from installing import need, tap

sys.path.insert(0, tap.source("tests", "e2e"))
import shell  # noqa: E402

MEMBERS = dict(word.split("=", 1) for word in os.environ.get("PROFTOP_TEST_MEMBERS", "").split())
PLACE = tempfile.TemporaryDirectory()
ENV = dict(os.environ, PROFTOP_DIR=PLACE.name, XDG_RUNTIME_DIR=PLACE.name, LC_ALL="C.UTF-8")
CONFIG = """
global: {scrape_interval: 1s}
scrape_configs:
- job_name: proftop
  static_configs: [{targets: ['%s']}]
"""
METRICS = """
import sys
from prometheus_client.parser import text_string_to_metric_families
families = list(text_string_to_metric_families(sys.stdin.read()))
samples = [sample for family in families for sample in family.samples]
print(len(samples), len({(s.name, tuple(sorted(s.labels.items()))) for s in samples}),
      int(sum(s.value for s in samples if s.name == "proftop_op_calls_total")))
"""
TABLE = """
import sys, duckdb, pandas
frame = pandas.read_csv(sys.argv[1])
calls = int(frame[frame.table == "ops"].calls.sum())
found = duckdb.sql("select sum(calls) from read_csv('%s') where \\"table\\" = 'ops'" % sys.argv[1])
print(len(frame), calls, int(found.limit(1).fetchall()[0][0]))
"""
MARKDOWN = """
import json, sys
from markdown_it import MarkdownIt
tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(sys.stdin.read())
kinds = [t.type for t in tokens] + [c.type for t in tokens for c in t.children or ()]
rows, inside = [], False
for token in tokens:
    if token.type in ("tr_open", "tr_close"):
        inside = token.type == "tr_open"
        rows += [[]] if inside else []
    elif inside and token.type == "inline":
        rows[-1].append("".join(c.content for c in token.children))
print(json.dumps([sorted(set(kinds)), kinds.count("table_open"), rows]))
"""


def job(*words):
    return shell.Job(ENV, shell.SYNTHETIC, "--applies", "60", "--hostile", *words)


def report(*words):
    done = shell.proftop(ENV, "-b", *words)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout


def with_checkers(script, *words, text=None):
    python = need(MEMBERS.get("checkers"), "PROFTOP_TEST_MEMBERS checkers=PYTHON")
    done = subprocess.run([python, "-c", script, *words], input=text, capture_output=True,
                          text=True, timeout=shell.WAIT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def promtool_finds_nothing_wrong():
    promtool = need(shutil.which("promtool"), "Debian's package prometheus")
    with job() as one:
        text = report("-p", one.pid, "--format", "prom")
    done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True,
                          text=True, timeout=shell.WAIT, check=False)
    assert done.returncode == 0 and not done.stderr and not done.stdout, done


def free_port():
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        return link.getsockname()[1]


class Prometheus:
    """prometheus with a configuration, in a folder of its own, at a port that was free."""

    def __init__(self, program, target):
        self.folder = tempfile.TemporaryDirectory()
        config = os.path.join(self.folder.name, "prometheus.yml")
        with open(config, "w", encoding="ascii") as file:
            file.write(CONFIG % target)
        self.at = "127.0.0.1:%d" % free_port()
        self.process = subprocess.Popen(
            [program, "--config.file", config, "--web.listen-address", self.at,
             "--storage.tsdb.path", os.path.join(self.folder.name, "data")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(shell.WAIT)
        self.folder.cleanup()

    def query(self, what):
        """{labels without the scrape's own: value}, or {} while there is no answer."""
        url = "http://%s/api/v1/query?%s" % (self.at, urllib.parse.urlencode({"query": what}))
        try:
            with urllib.request.urlopen(url, timeout=shell.WAIT) as answer:
                data = json.load(answer)
        except OSError:
            assert self.process.poll() is None, "prometheus has ended"
            return {}
        assert data["status"] == "success", data
        return {tuple(sorted(row["metric"].items())): float(row["value"][1])
                for row in data["data"]["result"]}


def prometheus_scrapes_a_job():
    program = need(shutil.which("prometheus"), "Debian's package prometheus")
    with job() as one:
        server = subprocess.Popen([shell.PROFTOP, "prom", "--listen", "127.0.0.1:0"], env=ENV,
                                  stderr=subprocess.PIPE, text=True)
        try:
            where = re.search(r"http://(.*)/metrics", server.stderr.readline())[1]
            with Prometheus(program, where) as prometheus:
                up = tap.wait_for("a scrape", lambda: prometheus.query("up"), shell.WAIT)
                assert set(up.values()) == {1.0}, up
                tap.wait_for("a rate", lambda: prometheus.query(
                    "sum(rate(proftop_op_calls_total[5s])) > 0"), shell.WAIT)
                names = {dict(labels)["op"] for labels in prometheus.query("proftop_op_applies")}
                calls = prometheus.query("sum(proftop_op_calls_total)")[()]
                # Whatever is in the names: its series are the rows of the job.
                rows = json.loads(report("-p", one.pid, "--format", "json"))["ops"]
                assert len(names) == len(rows) > 40, len(names)
                assert 0 < calls <= sum(row["calls"] for row in rows), calls
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(shell.WAIT) == 0
            server.stderr.close()


def prometheus_client_reads_the_metrics():
    with job() as one:
        text = report("-p", one.pid, "--format", "prom")
    samples, different, calls = map(int, with_checkers(METRICS, text=text).split())
    own = sum(int(line.rsplit(" ", 1)[1]) for line in text.split("\n")
              if line.startswith("proftop_op_calls_total{"))
    assert samples == different > 300 and calls == own, (samples, different, calls, own)


def pandas_and_duckdb_read_the_table():
    place = os.path.join(PLACE.name, "report.csv")
    with job() as one:
        report("-p", one.pid, "--format", "csv", "-n", "2", "-d", "0.2", "-o", place)
    rows, by_pandas, by_duckdb = map(int, with_checkers(TABLE, place).split())
    assert rows > 200 and by_pandas == by_duckdb > 0, (rows, by_pandas, by_duckdb)


def a_summary_renders_as_it_is_meant():
    with job("--names", "40") as one:
        text = report("-p", one.pid, "--format", "md")
        named = csv.DictReader(report("-p", one.pid, "--format", "csv").splitlines(keepends=True))
        names = [row["name"] for row in named if row["table"] in ("ops", "classes", "functions")]
    kinds, tables, rows = json.loads(with_checkers(MARKDOWN, text=text))
    assert not set(kinds) & {"html_inline", "html_block", "link_open", "image", "em_open",
                             "strong_open", "s_open", "fence", "code_block"}, kinds
    assert tables >= 2, kinds
    assert len(rows) > 6 and len({len(row) for row in rows}) == 1, rows
    for *_, name in rows:
        whole = name.rstrip("\u2026")
        assert name in ("NAME", "-") or any(one.startswith(whole) for one in names), name


tap.run(promtool_finds_nothing_wrong, prometheus_scrapes_a_job,
        prometheus_client_reads_the_metrics, pandas_and_duckdb_read_the_table,
        a_summary_renders_as_it_is_meant)
