"""Finding, checking and downloading; the public homes are played by a server on this machine."""

import gzip
import hashlib
import socket
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from unabases.datasets import UCI, fetch, load_mnist, load_uci
from unabases.datasets.files import OFFLINE_VARIABLE, read_files, state
from unabases.datasets.registry import HOMES, entry, names

TEXT = b"0.5 1 2\t3 4 5e-1 6.0\n1 1 1 1 1 0.25 7\n"
HEADER = ",".join(UCI["yacht"].units).encode()
CSV = HEADER + b"\n0.5,1,2,3,4,0.5,6\n1,1,1,1,1,0.25,7\n"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        pass

    def log_request(self, code="-", size="-"):
        self.server.asked.append(self.path)  # pyright: ignore[reportAttributeAccessIssue]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A server of the files below `root`, in place of all public homes, for a yacht table of two rows."""
    root = tmp_path / "served"
    (root / "yacht" / "data").mkdir(parents=True)
    (root / "yacht" / "data" / "data.txt").write_bytes(TEXT)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.root, server.url = root, f"http://127.0.0.1:{server.server_port}/"
    for name in HOMES:
        monkeypatch.setitem(HOMES, name, server.url)
    monkeypatch.setitem(UCI, "yacht", UCI["yacht"]._replace(sha256=hashlib.sha256(CSV).hexdigest(), rows=2))
    monkeypatch.delenv(OFFLINE_VARIABLE)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def everything_below(directory, prefix=""):
    return sorted(prefix + str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


class TestDownload:
    def test_an_absent_table_is_downloaded_converted_and_then_read_from_disk(self, home, data):
        first = load_uci("yacht", data)
        assert (first.n, first.d, first.y.tolist()) == (2, 6, [6, 7])
        assert (data / "uci" / "yacht.csv").read_bytes() == CSV
        assert load_uci("yacht", data).n == 2
        assert home.asked == ["/yacht/data/data.txt"]
        assert everything_below(data) == ["uci/yacht.csv"]

    def test_packed_tables_are_checked_by_what_is_in_them(self, home, data, monkeypatch):
        (home.root / "protein-tertiary-structure" / "data").mkdir(parents=True)
        (home.root / "protein-tertiary-structure" / "data" / "data.txt").write_bytes(b"1 2 3 4 5 6 7 8 9 10\n")
        csv = (",".join(UCI["protein"].units) + "\n1,2,3,4,5,6,7,8,9,10\n").encode()
        changed = UCI["protein"]._replace(unpacked_sha256=hashlib.sha256(csv).hexdigest())
        monkeypatch.setitem(UCI, "protein", changed)
        assert load_uci("protein", data).y.tolist() == [10]
        assert gzip.decompress((data / "uci" / "protein.csv.gz").read_bytes()) == csv

    def test_a_mirror_has_the_layout_of_a_data_directory(self, home, data):
        (home.root / "uci").mkdir()
        (home.root / "uci" / "yacht.csv").write_bytes(CSV)
        assert fetch("yacht", data, mirror=home.url) == [data / "uci" / "yacht.csv"]
        assert home.asked == ["/uci/yacht.csv"]

    def test_what_is_right_stays_and_what_is_wrong_is_replaced(self, home, data):
        (path,) = fetch("yacht", data)
        fetch("yacht", data)
        assert len(home.asked) == 1
        path.write_bytes(CSV[:-3])
        assert state("yacht", data) == "damaged"
        fetch("yacht", data)
        assert len(home.asked) == 2
        assert state("yacht", data) == "present"

    def test_a_loader_never_replaces_a_file(self, home, data):
        (path,) = fetch("yacht", data)
        path.write_bytes(b"mine")
        with pytest.raises(ValueError, match="unabases data fetch yacht"):
            load_uci("yacht", data)
        assert path.read_bytes() == b"mine"

    @pytest.mark.parametrize("text", [TEXT[:-4], TEXT.replace(b"6.0", b"6.1"), b"<html>login</html>", b"", b"1 2\n"])
    def test_another_file_than_expected_is_not_written(self, home, data, text):
        (home.root / "yacht" / "data" / "data.txt").write_bytes(text)
        with pytest.raises(ValueError, match=r"Nothing was written\. Put it at .*yacht\.csv"):
            load_uci("yacht", data)
        assert not data.exists() or everything_below(data) == []

    def test_a_connection_that_breaks_off_leaves_nothing(self, home, data, monkeypatch):
        def cut_short(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(TEXT)))
            self.end_headers()
            self.wfile.write(TEXT[:10])

        monkeypatch.setattr(Quiet, "do_GET", cut_short)
        with pytest.raises(FileNotFoundError, match="IncompleteRead"):
            fetch("yacht", data)
        assert not data.exists()

    def test_a_full_disk_leaves_nothing(self, home, data, monkeypatch):
        def no_space(descriptor):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("unabases.datasets.files.os.fsync", no_space)
        with pytest.raises(OSError, match=r"cannot write .*No space left.*UNABASES_DATA_DIR"):
            fetch("yacht", data)
        assert everything_below(data) == []

    def test_mnist_is_four_files_as_they_are(self, home, data, data_directory, monkeypatch):
        if state("mnist", data_directory) == "missing":
            pytest.skip(f"needs real data: {data_directory} lacks mnist/*-ubyte.gz")
        monkeypatch.setitem(HOMES, "mnist", f"{(data_directory / 'mnist').as_uri()}/")
        assert load_mnist(data).test_labels.shape == (10_000,)
        assert everything_below(data) == everything_below(data_directory / "mnist", "mnist/")

    def test_a_file_that_its_home_does_not_have(self, home, data):
        with pytest.raises(FileNotFoundError, match=r"train-images-idx3-ubyte\.gz failed \(HTTP Error 404"):
            load_mnist(data)
        assert home.asked == ["/train-images-idx3-ubyte.gz"]


class TestAbsent:
    @pytest.mark.parametrize("name", names())
    def test_the_error_says_which_file_to_put_where(self, data, name):
        """Offline by the environment, as all tests are."""
        for file in entry(name).files[:1]:
            with pytest.raises(FileNotFoundError) as caught:
                read_files(name, data)
            for part in (str(data / file.path), file.sha256, "UNABASES_DATA_DIR", entry(name).origin):
                assert part in str(caught.value)
        assert state(name, data) == "missing"

    def test_no_network(self, data, monkeypatch):
        with socket.socket() as taken:  # a port that nobody listens on
            taken.bind(("127.0.0.1", 0))
            monkeypatch.setitem(HOMES, "tables", f"http://127.0.0.1:{taken.getsockname()[1]}/")
            monkeypatch.delenv(OFFLINE_VARIABLE)
            with pytest.raises(FileNotFoundError, match=r"concrete/data/data\.txt failed .*refused.* Put it at .*uci"):
                load_uci("concrete", data)

    def test_download_can_be_switched_off(self, home, data):
        with pytest.raises(FileNotFoundError, match="`unabases data fetch yacht` downloads it"):
            load_uci("yacht", data, download=False)
        assert home.asked == []

    def test_what_nobody_serves_cannot_be_fetched(self, home, data):
        with pytest.raises(FileNotFoundError, match="nobody serves it in this form"):
            fetch("faces", data)
        assert home.asked == []

    def test_an_unknown_name_lists_the_known_ones(self):
        with pytest.raises(ValueError, match=r"'iris'; choose one of boston, .*, mnist, faces"):
            fetch("iris")


class TestRefused:
    @pytest.fixture
    def yacht(self, data, home):
        (path,) = fetch("yacht", data)
        return path

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (CSV[:-8], "It has 2 rows|edited"),
            (CSV.replace(b",7\n", b",8\n"), "edited"),
            (HEADER + b"\n0.5,1,2,3,4,0.5,6\n", "It has 1 rows; expected 2"),
            (
                CSV.replace(b"froude_number", b"speed"),
                "Its columns are .*speed, resistance; expected longitudinal_position",
            ),
            (b"", "Its columns are ;"),
        ],
    )
    def test_tables(self, data, yacht, content, message):
        yacht.write_bytes(content)
        with pytest.raises(ValueError, match=message) as caught:
            load_uci("yacht", data)
        assert hashlib.sha256(content).hexdigest() in str(caught.value)
        assert hashlib.sha256(CSV).hexdigest() in str(caught.value)

    @pytest.mark.parametrize("name", ["protein", "naval"])
    def test_packed_files(self, data_directory, data, name):
        file = entry(name).files[0]
        content = (data_directory / file.path).read_bytes()
        path = data / file.path
        path.parent.mkdir(parents=True)
        path.write_bytes(content[: len(content) // 2])
        with pytest.raises(ValueError, match=r"cannot be unpacked \(Compressed file ended"):
            read_files(name, data)
        path.write_bytes(gzip.compress(gzip.decompress(content)[:-5]))
        with pytest.raises(ValueError, match=f"not {file.unpacked_sha256}.*unpacked bytes"):
            read_files(name, data)

    def test_the_same_bytes_packed_otherwise_are_accepted(self, data_directory, data):
        file = entry("protein").files[0]
        path = data / file.path
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress(gzip.decompress((data_directory / file.path).read_bytes()), 1))
        assert hashlib.sha256(path.read_bytes()).hexdigest() != file.sha256
        assert state("protein", data) == "present"


def test_the_copies_at_hand_are_intact(data_directory):
    for name in (*UCI, "gap_splits", "standard_splits"):
        assert state(name, data_directory) == "present"
        for file in entry(name).files:
            assert hashlib.sha256((data_directory / file.path).read_bytes()).hexdigest() == file.sha256


def test_a_folder_in_place_of_a_file_is_damage(tmp_path):
    (tmp_path / entry("concrete").files[0].path).mkdir(parents=True)
    assert state("concrete", tmp_path) == "damaged"
