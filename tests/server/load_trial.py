"""load_trial.py PLIMSOLL: a bounded load on a server on loopback, about a minute; prints the table of docs/measurements/serve.md.
Not part of the tests: its numbers are of the machine.
"""
import asyncio
import subprocess
import sys
import time


def head(port, path):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()


async def ask(port, path, count, times):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in range(count):
        start = time.perf_counter()
        writer.write(head(port, path) + b"\r\n")
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(next(line for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length")).split(b":")[1])
        await reader.readexactly(length)
        times.append(time.perf_counter() - start)
    writer.close()


async def trickle(port, stop):
    while not stop.is_set():
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head(port, "/"))
            while not stop.is_set():
                writer.write(b"a: b\r\n")
                await writer.drain()
                await asyncio.sleep(1)
            writer.close()
        except OSError:
            await asyncio.sleep(0.05)


async def flood(port, stop):
    times = []
    while not stop.is_set():
        try:
            await ask(port, "/api/v1/openapi.json", 200, times)
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)
    return len(times)


def row(name, times, seconds):
    times.sort()
    shares = [1000 * times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99)]
    print(f"| {name} | {len(times)} | {len(times) / seconds:.0f} | {shares[0]:.2f} | {shares[1]:.2f} | {1000 * times[-1]:.1f} |", flush=True)


async def measure(port, name, path, clients, count):
    times, start = [], time.perf_counter()
    await asyncio.gather(*(ask(port, path, count, times) for _ in range(clients)))
    row(name, times, time.perf_counter() - start)


async def beside(port, name, crowd):
    stop = asyncio.Event()
    tasks = [asyncio.create_task(work(port, stop)) for work in crowd]
    await asyncio.sleep(3)
    await measure(port, name, "/api/v1/audit?model=gpt2", 4, 250)
    stop.set()
    await asyncio.gather(*tasks)


async def main(port):
    print("| load | answers | a second | median ms | 99 % ms | longest ms |\n| --- | --- | --- | --- | --- | --- |")
    await ask(port, "/api/v1/map", 1, [])
    await measure(port, "the page, 16 clients", "/", 16, 250)
    await measure(port, "an audit of the zoo, 16 clients", "/api/v1/audit?model=gpt2", 16, 250)
    await measure(port, "the map's data (70 kB), 16 clients", "/api/v1/map", 16, 100)
    await measure(port, "a count by a child, first time, 4 clients", "/api/v1/count?model=gpt2&batch=7", 4, 1)
    await measure(port, "the same again", "/api/v1/count?model=gpt2&batch=7", 4, 250)
    await beside(port, "an audit beside 400 clients that trickle", [trickle] * 400)
    await beside(port, "an audit beside one client that asks without pause", [flood])


if __name__ == "__main__":
    with subprocess.Popen([sys.argv[1], "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        try:
            asyncio.run(main(int(address.rsplit(":", 1)[1].rstrip("/"))))
            with open(f"/proc/{server.pid}/status", encoding="utf-8") as status:
                print("\n" + next(line.strip() for line in status if line.startswith("VmHWM")))
        finally:
            server.terminate()
