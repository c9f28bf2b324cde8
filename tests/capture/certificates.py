"""Certificates for a server on the loopback, made when a test runs by the program `openssl`: none is kept."""
import subprocess


def self_signed(folder, name="127.0.0.1"):
    """The path of a PEM file with a key and its own certificate for this address or host; it also serves as the authority that vouches for it."""
    kind = "IP" if name.replace(".", "").isdigit() else "DNS"
    key, certificate, both = (folder / f"{name}.{end}" for end in ("key", "crt", "pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName={kind}:{name}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both
