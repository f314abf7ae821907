# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""zeromq.py: a job that itself uses ZeroMQ heavily, with the libzmq of pyzmq."""
import threading

import numpy as np
import pytensor
import pytensor.tensor as pt
import zmq

x = pt.dvector("x")
f = pytensor.function([x], (x * 2).sum(), name="f")
context = zmq.Context()
server = context.socket(zmq.ROUTER)
port = server.bind_to_random_port("tcp://127.0.0.1")
ASKED = 2000


def serve():
    for _ in range(2 * ASKED):
        who, body = server.recv_multipart()
        answer = f(np.frombuffer(body))
        server.send_multipart([who, np.asarray(answer).tobytes()])


def ask(number, sums):
    client = context.socket(zmq.DEALER)
    client.connect("tcp://127.0.0.1:%d" % port)
    for value in range(ASKED):
        client.send(np.full(4, float(value)).tobytes())
        sums[number] += float(np.frombuffer(client.recv())[0])
    client.close(0)


sums = [0.0, 0.0]
threads = [threading.Thread(target=serve)]
threads += [threading.Thread(target=ask, args=(number, sums)) for number in (0, 1)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
server.close(0)
context.term()
print(zmq.zmq_version(), sums)
